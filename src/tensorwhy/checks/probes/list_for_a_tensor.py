"""Several symbolic tensors in a list, for a layer that takes one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.models.symbolic import Symbolic, symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.checks.text.scopes import Scope, Step
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.keras import Given, NotATensor

READS = ("keras",)
_ONE = frozenset(
    (
        *("BatchNormalization", "Dense", "Embedding", "Flatten", "LayerNormalization", "Permute", "RepeatVector"),
        *("Reshape", "TimeDistributed", "Conv1D", "Conv2D", "Conv2DTranspose", "SeparableConv2D", "DepthwiseConv2D"),
        *("GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling1D", "GlobalMaxPooling2D"),
        *("MaxPooling1D", "MaxPooling2D", "UpSampling2D"),
    )
)
"""Layers that fail for it in all versions: activations and Dropout take what they get."""
_STATES = {"LSTM": 3, "GRU": 2, "SimpleRNN": 2}


def find(module: Module) -> Iterator[CaseGroup]:
    """Lists that are written out, and what a recurrent layer gives with its states."""
    things = symbolic(module)
    for scope, step, call in things.calls():
        layer = things.thing(call.func, scope, step) if isinstance(call.func, (ast.Name, ast.Call)) else None
        if layer is None or layer.sort != "layer" or layer.layer not in _ONE or not call.args:
            continue
        first = call.args[0]
        length, returned = _listed(things, scope, step, first)
        if not length:
            continue
        thing = things.thing(first, scope, step)
        fact = NotATensor(
            given=Given(
                sort="tuple" if isinstance(first, ast.Tuple) else "list",
                name=first.id if isinstance(first, ast.Name) else "",
                made=module.place(thing.made if thing is not None else first),
                written=module.place(first),
                parameter="inputs",
            ),
            receiver=f"the {layer.layer} layer",
            used=module.place(call),
            length=length,
            returned=returned,
            wanted=1,
        )
        yield from things.fails(scope, call, fact)


def _listed(things: Symbolic, scope: Scope, step: Step, node: ast.expr) -> tuple[int, str]:
    """The number of tensors in a list, and the recurrent layer that gave it."""
    if isinstance(node, (ast.List, ast.Tuple)):
        every = [things.thing(each, scope, step) for each in node.elts]
        return (len(every), "") if len(every) > 1 and all(each is not None and each.one for each in every) else (0, "")
    thing = things.thing(node, scope, step)
    if thing is None or thing.sort != "tensors" or not isinstance(thing.made, ast.Call):
        return 0, ""
    layer = things.known(thing.made.func)
    made = layer.made if layer is not None and layer.layer in _STATES else None
    states = (
        next((k.value for k in made.keywords if k.arg == "return_state"), None) if isinstance(made, ast.Call) else None
    )
    if layer is None or not isinstance(states, ast.Constant) or states.value is not True:
        return 0, ""
    return _STATES[layer.layer], layer.layer
