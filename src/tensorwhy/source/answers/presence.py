"""Whether a program asks for gradients to know which of them exist, and does nothing else with the answer."""

from __future__ import annotations

import ast

from tensorwhy.model.location import Location
from tensorwhy.source.answers.calls import call_at
from tensorwhy.source.answers.carriers import scope_of
from tensorwhy.source.files import Sources

_SAME = ("list", "tuple", "reversed", "iter")


def only_tested(sources: Sources, asked: Location | None) -> bool:
    """True if all that reads the answer of the call at a place is a test for None, one at least, or asks how many.

    A test that the program breaks off at (`assert`, `raise`) guards something else: the update that should follow.
    """
    tree, call = sources.tree(asked.file) if asked is not None else None, call_at(sources, asked)
    if tree is None or call is None:
        return False
    return _Reading(scope_of(call, tree), call).is_a_test()


class _Reading:
    """Follows the answer of one call through a scope, as long as it is the answer itself or an element of it."""

    def __init__(self, scope: ast.AST, call: ast.Call) -> None:
        self._call = call
        self._nodes = list(ast.walk(scope))
        self._around = {id(inner): node for node in self._nodes for inner in ast.iter_child_nodes(node)}
        self._names: set[str] = set()
        self._tested = False

    def is_a_test(self) -> bool:
        return self._read(self._call) and self._tested

    def _read(self, node: ast.AST) -> bool:
        """Return whether nothing but tests comes of an expression that is the answer, or an element of it."""
        around = self._around.get(id(node))
        if isinstance(around, ast.Compare):
            self._tested = self._tested or not self._guards(around)
            return not self._guards(around) and any(map(_is_none, (around.left, *around.comparators)))
        if isinstance(around, (ast.For, ast.comprehension)):
            return around.iter is node and self._bound(around.target)
        if isinstance(around, (ast.Assign, ast.AnnAssign, ast.NamedExpr)):
            targets = around.targets if isinstance(around, ast.Assign) else [around.target]
            return all(map(self._bound, targets)) and (not isinstance(around, ast.NamedExpr) or self._read(around))
        if isinstance(around, ast.Subscript):
            return around.value is node and self._read(around)
        if isinstance(around, ast.Call):
            return self._handed(node, around)
        return isinstance(around, ast.Expr)

    def _handed(self, node: ast.AST, call: ast.Call) -> bool:
        """Return whether a function that is handed the answer only counts or pairs it."""
        name = call.func.id if isinstance(call.func, ast.Name) and node in call.args else ""
        if name in _SAME or name == "len":
            return name == "len" or self._read(call)
        looped = self._around.get(id(call))
        if name not in ("zip", "enumerate") or not isinstance(looped, (ast.For, ast.comprehension)):
            return False
        at = call.args.index(node) if name == "zip" and isinstance(node, ast.expr) else 1
        target = looped.target
        return isinstance(target, ast.Tuple) and at < len(target.elts) and self._bound(target.elts[at])

    def _bound(self, target: ast.expr) -> bool:
        """Return whether a name, or several, get the answer, and every place that reads them is a test."""
        if isinstance(target, ast.Tuple):
            return all(map(self._bound, target.elts))
        if not isinstance(target, ast.Name):
            return False
        if target.id in self._names:
            return True
        self._names.add(target.id)
        reads = [
            node
            for node in self._nodes
            if isinstance(node, ast.Name) and node.id == target.id and isinstance(node.ctx, ast.Load)
        ]
        return all(map(self._read, reads))

    def _guards(self, test: ast.AST) -> bool:
        """Return whether the program breaks off where a test turns out otherwise."""
        node: ast.AST | None = test
        while node is not None and not isinstance(node, ast.stmt):
            node = self._around.get(id(node))
        raises = isinstance(node, ast.If) and any(isinstance(each, ast.Raise) for each in node.body)
        return isinstance(node, ast.Assert) or raises


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
