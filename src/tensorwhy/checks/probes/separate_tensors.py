"""A merging layer that is called on its tensors one after the other, and takes them in one list."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import MERGING
from tensorwhy.checks.models.symbolic import symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.keras import SeparateTensors

READS = ("keras",)


def find(module: Module) -> Iterator[CaseGroup]:
    """Where all of them are certainly single tensors."""
    things = symbolic(module)
    for scope, step, call in things.calls():
        if len(call.args) < 2 or not isinstance(call.func, (ast.Name, ast.Call)):
            continue
        layer = things.thing(call.func, scope, step)
        if layer is None or layer.layer not in MERGING:
            continue
        tensors = [things.thing(each, scope, step) for each in call.args]
        if not all(each is not None and each.sort == "tensor" for each in tensors):
            continue
        used = module.place(call)
        fact = SeparateTensors(
            layer=f"the {layer.layer} layer",
            call=ast.unparse(call.func),
            used=used,
            tensors=tuple(things.reference(each, scope, step) for each in call.args),
        )
        yield from things.fails(scope, call, fact)
