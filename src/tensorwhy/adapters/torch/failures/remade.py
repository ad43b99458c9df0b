"""Tensors that a layer refuses because of how they were put together before: one other argument there would do."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import torch

from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.recording.calls import Call, Calls, references

_STEPS = 8
_SPLITS = ("flatten", "ravel", "reshape", "view")
_JOINS = ("cat", "concat", "concatenate", "stack", "hstack", "vstack")
Variant = tuple[str, tuple[int, ...]]


def remade(tensor: Any, axis: int, size: int) -> tuple[str, ...]:
    """Return the advice for a tensor that has no axis of the wanted size, where its maker could have given one.

    Calls that keep the shape are passed on the way back. It is empty where nothing was recorded.
    """
    recording = current.recording()
    number = recording.recorder.serials.known(tensor) if recording is not None else None
    if recording is None or number is None:
        return ()
    calls = recording.recorder.calls
    for _ in range(_STEPS):
        known = calls.maker(number)
        if known is None or not known[1].args:
            return ()
        call, now = known[1], tuple(calls.shapes.get(number, ()))
        if call.name in (*_SPLITS, *_JOINS):
            place = recording.journal.location(call.place)
            ways = [how for how, shape in _variants(call, calls, now) if len(shape) > axis >= 0 and shape[axis] == size]
            if tensor.ndim == 1 and call.name in _SPLITS:
                ways = [how for how, shape in _variants(call, calls, now) if shape[-1:] == (size,)]
            return (f"{ways[0]} (line {place.line})",) if len(ways) == 1 and place is not None else ()
        given = next(references(call.args), 0)
        if tuple(calls.shapes.get(given, ())) != now:
            return ()
        number = given
    return ()


def _variants(call: Call, calls: Calls, now: tuple[int, ...]) -> Iterator[Variant]:
    """What a call gives with another axis, and how that is said."""
    shapes = [tuple(calls.shapes.get(each, ())) for each in references(call.args)]
    if call.name in _SPLITS and shapes and len(shapes[0]) > 1:
        kept = torch.empty(shapes[0], device="meta").flatten(1)
        how = "`flatten(1)`" if call.name in ("flatten", "ravel") else f"`{call.name}(len(x), -1)`"
        yield f"keep the axis of the batch where `{call.name}` merges it: use {how}", tuple(kept.shape)
    elif call.name in _JOINS and len(shapes) > 1:
        parts = [torch.empty(each, device="meta") for each in shapes]
        for axis in range(len(shapes[0])):
            try:
                joined = tuple(torch.cat(parts, axis).shape)
            except RuntimeError:  # their other sizes differ
                continue
            if joined != now:
                yield f"join the tensors along axis {axis}: `torch.cat(..., dim={axis})`", joined
