"""What a model is composed of, as far as the text leads from it to the expressions that made its parts."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.text.scopes import Scope, Step


def parts(scope: Scope, step: Step, model: ast.expr) -> Iterator[ast.AST]:
    """All nodes of the expressions that an expression of a statement came from, by way of names that are bound once.

    Of a model under a name, what was added to it by that name is among them.
    """
    seen: set[ast.AST] = set()
    stack = [(model, scope, step)]
    while stack:
        expression, home, at = stack.pop()
        for node in ast.walk(expression):
            if node in seen:
                continue
            seen.add(node)
            yield node
            if not isinstance(node, ast.Name):
                continue
            binding = home.binding(node.id, at)
            if binding is None or binding.value is None or binding.value in seen:
                continue
            owner = binding.scope
            stack.append((binding.value, owner, binding.step))
            stack += [(each, owner, later) for later, call in owner.calls for each in _added(call, node.id)]


def _added(call: ast.Call, name: str) -> list[ast.expr]:
    function = call.func
    owner = function.value if isinstance(function, ast.Attribute) and function.attr == "add" else None
    return call.args if isinstance(owner, ast.Name) and owner.id == name else []
