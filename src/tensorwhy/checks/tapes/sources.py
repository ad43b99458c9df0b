"""What is asked for: whether it can be something that the target is made of on its way."""

from __future__ import annotations

import ast

from tensorwhy.checks.tapes.questions import Asked
from tensorwhy.source.scopes import Scope, Step

_OF_MODELS = ("trainable_variables", "trainable_weights", "variables", "weights")
_DEEP = 20


def untouched(one: Asked, names: set[str]) -> bool:
    """Return whether no source can be what one of these names stands for."""
    known: dict[ast.expr, bool] = {}
    return one.sources is not None and all(_apart(one.scope, each, one.step, names, known, 0) for each in one.sources)


def _apart(scope: Scope, node: ast.expr, step: Step, names: set[str], known: dict[ast.expr, bool], deep: int) -> bool:
    if node not in known:
        known[node] = _is_apart(scope, node, step, names, known, deep)
    return known[node]


def _is_apart(
    scope: Scope, node: ast.expr, step: Step, names: set[str], known: dict[ast.expr, bool], deep: int
) -> bool:
    if isinstance(node, (ast.Await, ast.NamedExpr)) or deep > _DEEP:
        return False
    for each in ast.walk(node):
        if isinstance(each, ast.Attribute) and each.attr not in _OF_MODELS and _stored(scope, each.attr):
            return False
        if isinstance(each, ast.Name) and not _name_apart(scope, each.id, step, names, known, deep):
            return False
    return True


def _name_apart(scope: Scope, name: str, step: Step, names: set[str], known: dict[ast.expr, bool], deep: int) -> bool:
    if name in names or name in scope.shared:
        return False
    if name not in scope.bindings:
        return not _filled(scope, name, names)
    binding = scope.binding(name, step)
    if binding is None:
        return False
    if isinstance(binding.made, (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef)):
        return True
    if binding.value is None or _filled(scope, name, names):
        return False
    return _apart(scope, binding.value, binding.step, names, known, deep + 1)


def _stored(scope: Scope, attribute: str) -> bool:
    """Return whether the scope gives something to an attribute of this name."""
    return any(
        isinstance(node, ast.Attribute) and node.attr == attribute and isinstance(node.ctx, ast.Store)
        for nodes in scope.expressions.values()
        for node in nodes
    )


def _filled(scope: Scope, name: str, names: set[str]) -> bool:
    """Return whether what has this name is handed one of the others: by `append`, or in a place of its own."""
    for step, nodes in scope.expressions.items():
        for node in nodes:
            keeps = isinstance(node, ast.Attribute) and node.attr in ("append", "extend", "insert")
            puts = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Store)
            if not (keeps or puts) or not isinstance(node, (ast.Attribute, ast.Subscript)):
                continue
            if isinstance(node.value, ast.Name) and node.value.id == name:
                return any(isinstance(each, ast.Name) and each.id in names for each in scope.expressions[step])
    return False
