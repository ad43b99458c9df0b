"""A layer or model where a call takes tensors: most often one that was made, and never called."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import LAYERS
from tensorwhy.checks.models.symbolic import Symbolic, Thing, given, model_tensors, symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.symbolic import Given, NotATensor
from tensorwhy.source.scopes import Scope, Step

READS = ("keras",)


def find(module: Module) -> Iterator[CaseGroup]:
    """What layers, Sequential models and the making of functional models are given."""
    things, told = symbolic(module), set()
    for scope, step, call in things.calls():
        receiver, taken = _receiver(things, scope, step, call)
        wrong = [(each, thing) for each in taken if (thing := _no_tensor(things, scope, step, each)) is not None]
        if not wrong or wrong[0][1] in told:
            continue
        used = module.place(call)
        (node, thing), *others = wrong
        told.add(thing)
        before = isinstance(node, ast.Name) and _called_before(scope, step, node.id)
        fact = NotATensor(
            given=_given(module, node, thing),
            receiver=receiver,
            used=used,
            call=thing.sort == "layer" and not before,
            called=thing.sort == "layer" and before,
            others=tuple(_given(module, each, another) for each, another in others),
        )
        yield from things.fails(scope, call, fact)


def _receiver(things: Symbolic, scope: Scope, step: Step, call: ast.Call) -> tuple[str, list[ast.expr]]:
    """What is called, in words, and the expressions that it takes for tensors."""
    callee = things.thing(call.func, scope, step) if isinstance(call.func, (ast.Name, ast.Call)) else None
    if callee is not None and (callee.layer in LAYERS or callee.layer == "Sequential"):
        return f"the {callee.layer} {callee.sort}", list(given(call))
    if not things.makes_model(call, scope, step):
        return "", []
    inputs, outputs = model_tensors(call)
    return ast.unparse(call.func), [*inputs, *outputs]


def _no_tensor(things: Symbolic, scope: Scope, step: Step, node: ast.expr) -> Thing | None:
    thing = things.thing(node, scope, step)
    return thing if thing is not None and thing.sort in ("layer", "model") else None


def _given(module: Module, node: ast.expr, thing: Thing) -> Given:
    name = node.id if isinstance(node, ast.Name) else ""
    return Given(sort=thing.sort, name=name, made=module.place(thing.made), written=module.place(node))


def _called_before(scope: Scope, step: Step, name: str) -> bool:
    """Return whether the layer of a name may have been called on other tensors."""
    return any(
        isinstance(call.func, ast.Name) and call.func.id == name and other.order < step.order
        for other, call in scope.calls
    )
