"""Tensors that a tape is told to watch when all that is computed from them has been computed."""

from __future__ import annotations

import ast

from tensorwhy.checks.frameworks.operations import makes_tensor
from tensorwhy.checks.models.symbolic import symbolic
from tensorwhy.checks.tapes.questions import Asked
from tensorwhy.checks.text.modules import Module
from tensorwhy.source.scopes import Step


def watched_late(module: Module, one: Asked, name: str) -> ast.Call | None:
    """The only call that has a tape watch a plain tensor of this name, where it comes after all its uses; else None."""
    scope, opened = one.scope, one.tape.opened
    told = [(step, call) for step, call in scope.calls if _watches(call, one.tape.name)]
    if len(told) != 1 or len(one.tape.watched) != 1 or one.step.loops != opened.loops:
        return None
    step, call = told[0]
    given = one.tape.watched[0]
    if not isinstance(given, ast.Name) or given.id != name or not step.inside(opened.statement):
        return None
    uses = [
        (at, node)
        for at, nodes in scope.expressions.items()
        for node in nodes
        if isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)
    ]
    read = [node for node in scope.mentions.get(name, ()) if isinstance(node.ctx, ast.Load)]
    early = [at for at, _ in uses if at not in (step, one.step)]
    after = [at for at in early if at.order > one.step.order and not at.loops]
    early = [at for at in early if at not in after]
    if len(read) != len(uses) or not any(at.inside(opened.statement) for at in early):
        return None
    return call if all(at.always_before(step) and _gives_new(module, one, at) for at in early) else None


def _watches(call: ast.Call, tape: str) -> bool:
    method = call.func
    return (
        isinstance(method, ast.Attribute)
        and method.attr == "watch"
        and isinstance(method.value, ast.Name)
        and method.value.id == tape
    )


def _gives_new(module: Module, one: Asked, step: Step) -> bool:
    """Return whether a statement only gives a name to what an operation, or a model of Keras, makes."""
    value = step.statement.value if isinstance(step.statement, ast.Assign) else None
    if value is None:
        return False
    callee = value.func if isinstance(value, ast.Call) else None
    model = symbolic(module).thing(callee, one.scope, step) if isinstance(callee, ast.Name) else None
    return (model is not None and model.sort == "model") or makes_tensor(module, one.scope, value)
