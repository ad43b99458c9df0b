"""Whether a value can get from one statement to another by names, in the source text of one scope.

Arrays and Python numbers are not recorded, so between the place where a value left the framework and the place where a
value came back there is only the source. This follows names through assignments, in-place updates (`a[i] = ...`,
`a.append(...)`) and loops, without regard to order: it may say yes too often, never no wrongly within one function.
What it finds is therefore called likely.
"""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.recording.sources import Sources

_MUTATING = {"append", "extend", "insert", "add", "update", "put", "fill", "appendleft", "setdefault", "write"}
_Scope = ast.Module | ast.FunctionDef | ast.AsyncFunctionDef


class Dataflow:
    """Answers for pairs of locations; remembers what it read."""

    def __init__(self, sources: Sources) -> None:
        self._sources = sources
        self._flows: dict[tuple[str, int, int], bool] = {}

    def reaches(self, start: Location, end: Location) -> bool:
        """Whether a value made by the statement at `start` can be read by the statement at `end`."""
        if start.file != end.file:
            return False
        key = (start.file, start.line, end.line)
        if key not in self._flows:
            self._flows[key] = self._decide(start, end)
        return self._flows[key]

    def _decide(self, start: Location, end: Location) -> bool:
        first, last = self._sources.statement(start), self._sources.statement(end)
        if first is None or last is None:
            return False
        if first is last:
            return True
        scope = self._scope(start)
        if scope is None or scope is not self._scope(end):
            return False
        tainted = _bound(first)
        statements = [node for node in ast.walk(scope) if isinstance(node, ast.stmt)]
        grown = True
        while grown:
            grown = False
            for statement in statements:
                new = _bound(statement) - tainted
                if new and _read(statement) & tainted:
                    tainted |= new
                    grown = True
        return bool(_read(last) & tainted)

    def _scope(self, location: Location) -> _Scope | None:
        function = self._sources.function(location)
        return self._sources.tree(location.file) if function is None or isinstance(function, ast.Lambda) else function


def _own(statement: ast.stmt) -> list[ast.AST]:
    """The nodes of a statement without those of the statements in its body."""
    found: list[ast.AST] = []
    stack: list[ast.AST] = [statement]
    while stack:
        node = stack.pop()
        found.append(node)
        stack.extend(child for child in ast.iter_child_nodes(node) if not isinstance(child, ast.stmt))
    return found


def _name(node: ast.AST) -> str:
    """`a` for `a`, `a[0]`, `a.b`; `self.x` for attributes of self: what stays the same when a part is stored."""
    while isinstance(node, (ast.Subscript, ast.Starred)):
        node = node.value
    if isinstance(node, ast.Attribute):
        return f"self.{node.attr}" if isinstance(node.value, ast.Name) and node.value.id == "self" else _name(node.value)
    return node.id if isinstance(node, ast.Name) else ""


def _bound(statement: ast.stmt) -> set[str]:
    names = set()
    for node in _own(statement):
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and isinstance(node.ctx, ast.Store):
            names.add(_name(node))
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _MUTATING
        ):
            names.add(_name(node.func.value))
    return names - {""}


def _read(statement: ast.stmt) -> set[str]:
    return {
        _name(node)
        for node in _own(statement)
        if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load)
    } - {""}
