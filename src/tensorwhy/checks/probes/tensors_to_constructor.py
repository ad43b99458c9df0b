"""Tensors that the constructor of a layer is given, which only the finished layer takes: `Add([x, y])`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tensorwhy.checks.frameworks.layers import LAYERS, MERGING, WRAPPERS
from tensorwhy.checks.models.symbolic import symbolic
from tensorwhy.checks.text.modules import Module
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.keras import TensorsToConstructor

READS = ("keras",)
_TAKEN = frozenset(
    (
        *("AlphaDropout", "Concatenate", "Dropout", "ELU", "GaussianDropout", "GaussianNoise", "LeakyReLU", "Masking"),
        *("Rescaling", "Softmax", "SpatialDropout1D", "SpatialDropout2D", "SpatialDropout3D"),
    )
)
"""Layers whose constructor takes anything, and leaves the failure to a later line."""


def find(module: Module) -> Iterator[CaseGroup]:
    """Where the constructor itself fails of it."""
    things = symbolic(module)
    for scope, step, call in things.calls():
        made = things.thing(call, scope, step)
        if made is None or made.made is not call or made.layer not in LAYERS - _TAKEN - WRAPPERS or not call.args:
            continue
        first = call.args[0]
        listed = isinstance(first, (ast.List, ast.Tuple)) and made.layer in MERGING
        parts = first.elts if isinstance(first, (ast.List, ast.Tuple)) and listed else [first]
        found = [each for each in parts if (thing := things.thing(each, scope, step)) and thing.sort == "tensor"]
        if not found:
            continue
        used = module.place(call)
        fact = TensorsToConstructor(
            layer=ast.unparse(call.func),
            arguments=", ".join(map(ast.unparse, call.args)),
            used=used,
            tensors=tuple(things.reference(each, scope, step) for each in found),
        )
        yield from things.fails(scope, call, fact)
