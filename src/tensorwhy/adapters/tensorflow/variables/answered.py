"""Which variable a gradient belongs to: a program that combines lists by position may meet one of another variable."""

from __future__ import annotations

import weakref
from typing import Any, Protocol

from tensorwhy.adapters.tensorflow.tensor_ids import values_of
from tensorwhy.model.question import Variable


class _Tapes(Protocol):
    """The recording of one session."""

    variables: dict[int, Variable]
    updates: Any


_RECORDING: list[weakref.ref[Any]] = []


def recorded_by(tapes: _Tapes) -> None:
    """Ask this recording from now on; it is kept weakly."""
    _RECORDING[:] = [weakref.ref(tapes)]


def variable_of(gradient: Any) -> Variable | None:
    """The variable whose gradient a tensor is; None where no recorded call gave it, or for a gradient of a tensor."""
    tapes = next((found for each in _RECORDING if (found := each()) is not None), None)
    number = getattr(values_of(gradient), "_id", None)
    if tapes is None or type(number) is not int:
        return None
    for ask in reversed(tapes.updates.asks):
        if number in ask.gradients:
            known: dict[int, Variable] = tapes.variables
            return known.get(ask.handles[ask.gradients.index(number)])
    return None
