"""Functions whose failure somebody may wait for: they are called in a `try`, or handed to what may call them so."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterator

from tensorwhy.checks.text.modules import Module
from tensorwhy.source.scopes import Scope, Step

_EXPECTING = ("raises", "xfail", "fail", "error", "skip")


def handled(module: Module, scope: Scope) -> bool:
    """Return whether the failure of a function, or of one around it, may be expected elsewhere in its file."""
    around: Scope | None = scope
    while around is not None:
        if isinstance(around.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _expected(module, around.node):
            return True
        around = around.outer
    return False


def _expected(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if any(word in ast.unparse(each).lower() for each in function.decorator_list for word in _EXPECTING):
        return True
    if function.name in expected_to_fail(module):
        return True
    callees = {call.func for scope in module.scopes for _, call in scope.calls}
    handed = any(node not in callees for node in module.scopes[0].mentions.get(function.name, ()))
    return handed and any(step.guarded for scope in module.scopes for step in scope.steps)


@functools.lru_cache(maxsize=1)
def expected_to_fail(module: Module) -> frozenset[str]:
    """Names in statements whose failure is caught, or asked for."""
    nodes = [
        node
        for scope in module.scopes
        for step in scope.steps
        for node in (scope.expressions[step] if step.guarded else _given_to_raises(scope, step))
    ]
    names = (getattr(node, "id", None) or getattr(node, "attr", None) for node in nodes)
    return frozenset(str(name) for name in names if name)


def _given_to_raises(scope: Scope, step: Step) -> Iterator[ast.AST]:
    for call in scope.expressions[step]:
        if isinstance(call, ast.Call) and "raises" in getattr(call.func, "attr", "").lower():
            for each in call.args:
                yield from ast.walk(each)
