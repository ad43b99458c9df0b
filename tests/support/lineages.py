"""A lineage of a few operations, for tests that draw its rows: one passes, one stops, one has no gradient."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from tensorwhy.adapters.tensorflow.gradients.op_kinds import KINDS
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.rules import Rules
from tensorwhy.model.optable import OpFacts, OpInput
from tensorwhy.model.question import Function
from tensorwhy.recording.journal import Journal

FLOAT = 1
_VALUES = (OpInput(name="x", carries="value"), OpInput(name="y", carries="value"))
_OPS = {
    "Add": OpFacts(name="Add", differentiability="registered", inputs=_VALUES),
    "Stop": OpFacts(name="Stop", differentiability="not-differentiable", stops_gradient=True),
    "Floor": OpFacts(name="Floor", differentiability="not-differentiable"),
    "Unknown": OpFacts(name="Unknown", differentiability="unknown"),
    "If": OpFacts(name="If", differentiability="registered", inputs=_VALUES),
    "Maximum": OpFacts(name="Maximum", differentiability="registered", inputs=_VALUES),
    "IdentityN": OpFacts(name="IdentityN", differentiability="registered", inputs=_VALUES),
}


def lineage_of(
    journal: Journal,
    functions: Iterable[Function] = (),
    custom_none: Mapping[int, tuple[int, ...]] | None = None,
    padded: Mapping[int, int] | None = None,
) -> Lineage:
    """The index over a journal, with rules for these operations; every tensor is of dtype `FLOAT`."""
    names: frozenset[str] = frozenset()
    return Lineage(
        journal,
        Rules(
            dtypes={FLOAT: "float32"},
            differentiable=frozenset({FLOAT}),
            op=lambda name, inputs, outputs: _OPS[name.partition("|")[0]],
            shape_only=names,
            assigning={},
            storing=names,
            reading=names,
            copying=names,
            converting=names,
            callbacks=names,
            unnamed=names,
            kinds=KINDS,
            functions={function.name: function for function in functions},
            variables={},
        ),
        custom_none=custom_none,
        padded=padded,
    )
