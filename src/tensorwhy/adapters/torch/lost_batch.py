"""Tensors that a layer refuses because the axis of the batch went into another axis before."""

from __future__ import annotations

import math
from typing import Any

from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.calls import references

_STEPS = 8
_FLATTENING = ("flatten", "reshape", "view", "ravel")


def lost_batch(tensor: Any, size: int) -> tuple[str, ...]:
    """Return the advice for a tensor without a batch axis, whose samples had so many numbers before it was flattened.

    It is empty where something else was done, or nothing was recorded.
    """
    recording = current.recording()
    number = recording.recorder.serials.known(tensor) if recording is not None else None
    if recording is None or number is None or tensor.ndim != 1:
        return ()
    calls = recording.recorder.calls
    for _ in range(_STEPS):
        known = calls.maker(number)
        given = next(references(known[1].args), 0) if known is not None else 0
        before, now = calls.shapes.get(given, ()), calls.shapes.get(number, ())
        if known is None or not before:
            break
        if known[1].name in _FLATTENING and len(before) > 1:
            place = recording.journal.location(known[1].place)
            if math.prod(before[1:]) != size or place is None:
                break
            name = known[1].name
            keeping = "`flatten(1)`" if name in ("flatten", "ravel") else f"`{name}(len(x), -1)`"
            return (f"keep the axis of the batch in line {place.line}, where `{name}` merges it: use {keeping}",)
        if tuple(before) != tuple(now):
            break
        number = given
    return ()
