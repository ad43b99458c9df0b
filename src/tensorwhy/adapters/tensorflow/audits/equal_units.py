"""Units of a layer that began with the same weights, got the same gradient in each step, and are the same at the end.

A gradient need not be exactly zero for this: it may be what is left of rounding, or the same number for each unit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from tensorwhy.adapters.tensorflow.variables.described import variable
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.report import Fix, TensorRef

_STEPS = 10
_ALIKE = 1e-5


def audit(session: Any) -> Iterator[Observed]:
    """One for each matrix whose columns are all the same, beside others that were trained."""
    tapes = session.tapes
    tapes.updates.last_look()
    found = ((handle, tapes.variables.get(handle)) for handle in tapes.updates.watched)
    matrices = {at: each.shape for at, each in found if each is not None and each.shape and len(each.shape) == 2}
    for handle, watched in tapes.updates.watched.items():
        trail = watched.trail
        known = tapes.variables.get(handle)
        if known is None or handle not in tapes.applied.handles or trail.steps[1] - trail.steps[0] < _STEPS:
            continue
        moved = trail.first is not None and trail.last is not None and not np.array_equal(trail.first, trail.last)
        # Units that go into another matrix could learn different things; those of the last layer have own targets.
        own = matrices.get(handle)
        follows = own is not None and any(each[0] == own[1] for at, each in matrices.items() if at != handle)
        if follows and moved and _is_constant(trail.first) and _has_equal_units(trail.finite):
            yield _fact(variable(session, handle), int(trail.finite.shape[1]), trail.steps[1] - trail.steps[0])


def _is_constant(value: np.ndarray[Any, Any] | None) -> bool:
    return value is not None and value.size > 1 and bool(np.all(value == value[0]))


def _has_equal_units(value: np.ndarray[Any, Any] | None) -> bool:
    """Return whether a matrix has several columns, which are all the same up to rounding."""
    if value is None or value.ndim != 2 or value.shape[1] < 2 or value.shape[0] < 2 or value.dtype.kind != "f":
        return False
    size = float(np.abs(value).max())
    return float(np.abs(value - value[:, :1]).max()) <= _ALIKE * size


def _fact(found: Any, units: int, steps: int) -> Observed:
    name = found.name.partition(":")[0]
    return Observed(
        slug="zero-initialised",
        message=f"the {units} units of variable `{name}` are the same after {steps} steps: they began with equal "
        "weights, so each step gives all of them the same gradient",
        label="every weight begins with the same value",
        location=found.created,
        severity="warning",
        source=TensorRef(name=name, kind="variable", location=found.created),
        fixes=(
            Fix(
                summary="begin with random weights: `tf.random.normal(shape, stddev=0.1)`, or "
                '`initializer="glorot_uniform"`',
                caveat="a bias, or the weights of the last layer alone, may begin with zeros",
            ),
        ),
    )
