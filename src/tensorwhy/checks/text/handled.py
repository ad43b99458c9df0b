"""Functions whose failure somebody may wait for: they are called in a `try`, or handed to what may call them so."""

from __future__ import annotations

import ast

from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope

_EXPECTING = ("raises", "xfail", "fail", "error", "skip")


def handled(module: Module, scope: Scope) -> bool:
    """Whether the failure of a function, or of one around it, may be expected elsewhere in its file."""
    around: Scope | None = scope
    while around is not None:
        if isinstance(around.node, (ast.FunctionDef, ast.AsyncFunctionDef)) and _expected(module, around.node):
            return True
        around = around.outer
    return False


def _expected(module: Module, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    if any(word in ast.unparse(each).lower() for each in function.decorator_list for word in _EXPECTING):
        return True
    called = [
        (step, call.func)
        for scope in module.scopes
        for step, call in scope.calls
        if function.name in (getattr(call.func, "id", ""), getattr(call.func, "attr", ""))
    ]
    if any(step.guarded for step, _ in called):
        return True
    callees = {node for _, node in called}
    handed = any(node not in callees for node in module.scopes[0].mentions.get(function.name, ()))
    return handed and any(step.guarded for scope in module.scopes for step in scope.steps)
