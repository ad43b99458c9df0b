"""A functional model whose outputs certainly need an `Input` that is not among its inputs."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.models.symbolic import Symbolic, Thing, model_tensors, symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.symbolic import Disconnected
from tensorwhy.model.report import TensorRef
from tensorwhy.source.scopes import Scope, Step

READS = ("keras",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Where all inputs of the model are written out, and each is what one call of `Input` gave."""
    things = symbolic(module)
    for scope, step, call in things.calls():
        if not things.makes_model(call, scope, step):
            continue
        inputs, outputs = model_tensors(call)
        given = [things.thing(each, scope, step) for each in inputs]
        wanted = [things.thing(each, scope, step) for each in outputs]
        if not given or not all(each is not None and each.is_input for each in given):
            continue
        own = {each.made for each in given if each is not None}
        missing = _missing([each for each in wanted if each is not None and not each.is_input], own)
        if missing:
            fact = Disconnected(
                used=module.place(call),
                missing=tuple(things.reference(each, scope, step) for each in missing),
                given=tuple(things.reference(each, scope, step) for each in inputs),
                unused=tuple(_unused(things, scope, step, inputs, wanted)),
                model=ast.unparse(call.func),
            )
            yield from things.fails(scope, call, fact)


def _missing(wanted: list[Thing], own: set[ast.expr]) -> list[ast.expr]:
    """Calls of `Input`, in the order of the text."""
    found = {need for each in wanted for need in each.needs if need not in own}
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _unused(
    things: Symbolic, scope: Scope, step: Step, inputs: list[ast.expr], wanted: list[Thing | None]
) -> Iterator[TensorRef]:
    """Inputs of the model that its outputs do not need, where all of what leads to those is known."""
    if not all(each is not None and each.whole for each in wanted):
        return
    needed = {need for each in wanted if each is not None for need in each.needs}
    for each in inputs:
        thing = things.thing(each, scope, step)
        if thing is not None and thing.made not in needed:
            yield things.reference(each, scope, step)
