"""What the lineage must know of PyTorch: its dtypes, and which functions hand a gradient on."""

from __future__ import annotations

import functools
from collections.abc import Mapping

from tensorwhy.adapters.torch.operations.kinds import CASTS, DIFFERENTIABLE, DTYPE_NAMES, SHAPE_ONLY, STOPS
from tensorwhy.lineage.rules import Rules
from tensorwhy.model.optable import OpFacts, OpInput, OpKinds
from tensorwhy.model.question import Variable

CUT = "|cut"
"""Ends the name of a call that was seen to give a constant, although a graph was kept and something had a history."""
STORE = "stored by "
"""Begins the name of a call that changed a leaf tensor outside of the graph."""
_KINDS = OpKinds(differing=frozenset({"sub", "subtract"}), adding=frozenset({"add", "__radd__"}))
_FLOATS = frozenset(DTYPE_NAMES[number] for number in DIFFERENTIABLE)
_DATA, _NONE = OpInput(name="input", carries="value"), OpInput(name="input", carries="none")


def rules(variables: Mapping[int, Variable], stores: frozenset[str]) -> Rules:
    """The rules for the leaf tensors of one recording; `stores` are the names of the rows that changed one."""
    return Rules(
        dtypes=DTYPE_NAMES,
        differentiable=DIFFERENTIABLE,
        op=_op,
        shape_only=SHAPE_ONLY,
        assigning=dict.fromkeys(stores, 1),
        storing=frozenset(name for name in stores if name.removeprefix(STORE) in ("copy_", "data =")),
        reading=frozenset(),
        copying=frozenset({"clone", "view", "reshape", "contiguous", "to", "cpu", "cuda"}),
        converting=CASTS,
        callbacks=frozenset(),
        unnamed=frozenset({""}),
        functions={},
        variables=variables,
        kinds=_KINDS,
    )


@functools.cache
def _op(name: str, inputs: tuple[str | None, ...], outputs: tuple[str | None, ...]) -> OpFacts:
    bare, cut, _ = name.partition("|")
    whole = bool(outputs) and not any(each in _FLOATS for each in outputs)
    stops = bare in STOPS
    lost = not stops and (bool(cut) or (whole and bare not in CASTS))
    return OpFacts(
        name=bare,
        differentiability="not-differentiable" if lost else "registered",
        inputs=(_NONE if stops else _DATA,) * len(inputs),
        stops_gradient=stops,
    )
