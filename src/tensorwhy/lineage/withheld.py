"""Gradients that were never applied, because a count kept in Python decided about it once, while a step was traced."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator, Sequence

from tensorwhy.lineage.untaken import conditionals, did_run
from tensorwhy.model.location import Location
from tensorwhy.source.files import Sources

_APPLYING = frozenset({"apply_gradients", "apply", "minimize", "assign_sub"})
_DEPTH = 4


def condition(sources: Sources, traced: Sequence[Location], executed: Iterable[Location]) -> Location | None:
    """The `if` in whose other branch the gradients would have been applied, and that asks for a count.

    `traced` are the calls that led to the gradient question while its step was traced, innermost first, `executed` the
    lines at which operations were made. A count is what some line of the program adds to: asked while tracing, it has
    one value for good. A flag that is passed as an argument is none, as each value of it gets a trace of its own.
    """
    lines: dict[str, set[int]] = {}
    for location in executed:
        lines.setdefault(location.file, set()).add(location.line)
    program = _Program([tree for file in lines if (tree := sources.tree(file)) is not None])
    for location in traced:
        function = sources.function(location)
        ran = lines.get(location.file, set())
        if not isinstance(function, ast.FunctionDef):
            continue
        for node, after in conditionals(function, ran):
            for branch in (node.body, node.orelse, after):
                if branch and not did_run(branch, ran) and program.applies(branch) and program.counts(node, function):
                    return sources.place(location.file, node.test)
    return None


class _Program:
    """The user's files, as far as operations were made in them."""

    def __init__(self, trees: Sequence[ast.Module]) -> None:
        self._functions: dict[str, list[ast.FunctionDef]] = {}
        self._counted: set[str] = set()
        for node in (node for tree in trees for node in ast.walk(tree)):
            if isinstance(node, ast.FunctionDef):
                self._functions.setdefault(node.name, []).append(node)
            elif isinstance(node, ast.AugAssign):
                self._counted.add(_key(node.target))
            elif isinstance(node, ast.Assign):
                self._counted |= {_key(target) for target in node.targets} & set(_keys(node.value))

    def applies(self, branch: list[ast.stmt], depth: int = _DEPTH) -> bool:
        """Return whether these statements apply gradients, themselves or through functions of the program."""
        names = {
            _key(node.func).lstrip(".") for part in branch for node in ast.walk(part) if isinstance(node, ast.Call)
        }
        if names & _APPLYING:
            return True
        bodies = (function.body for name in names for function in self._functions.get(name, ()))
        return depth > 0 and any(self.applies(body, depth - 1) for body in bodies)

    def counts(self, node: ast.If, function: ast.FunctionDef) -> bool:
        """Return whether a test asks for something that is counted, by way of local names and functions as well."""
        given = {each.arg for each in ast.walk(function.args) if isinstance(each, ast.arg)} - {"self", "cls"}
        return self._asks(node.test, function, _DEPTH) and not set(_keys(node.test)) <= given

    def _asks(self, asked: ast.AST, scope: ast.AST, depth: int) -> bool:
        local = _own_names(scope)
        keys = set(_keys(asked))
        if "next" in keys or (keys - local) & self._counted:
            return True
        if depth == 0:
            return False
        values = [
            node.value
            for node in ast.walk(scope)
            if isinstance(node, ast.Assign) and any(_key(target) in keys & local for target in node.targets)
        ]
        if any(self._asks(value, scope, depth - 1) for value in values if value is not asked):
            return True
        called = {_key(node.func).lstrip(".") for node in ast.walk(asked) if isinstance(node, ast.Call)}
        return any(
            self._asks(node.value, function, depth - 1)
            for name in called
            for function in self._functions.get(name, ())
            for node in ast.walk(function)
            if isinstance(node, ast.Return) and node.value is not None
        )


def _own_names(scope: ast.AST) -> set[str]:
    """Plain names that a function binds for itself, its parameters among them."""
    outer = {name for node in ast.walk(scope) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    bound = {node.id for node in ast.walk(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return (bound | {node.arg for node in ast.walk(scope) if isinstance(node, ast.arg)}) - outer


def _keys(node: ast.AST) -> Iterator[str]:
    """The names and attributes (`.name`) that an expression reads."""
    for each in ast.walk(node):
        if isinstance(each, (ast.Name, ast.Attribute)):
            yield _key(each)


def _key(node: ast.expr) -> str:
    """A plain name, or `.name` of an attribute; what is kept in a container counts as the container."""
    while isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Attribute):
        return f".{node.attr}"
    return node.id if isinstance(node, ast.Name) else ""
