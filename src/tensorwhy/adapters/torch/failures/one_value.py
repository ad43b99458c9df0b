"""What a normalization cannot train on: one value for each of its statistics."""

from __future__ import annotations

from typing import Any

import torch

from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch import current
from tensorwhy.adapters.torch.recording.calls import references

_CHECKS = ("verify_batch_size", "verify_spatial_size")
_FUNCTIONS = {
    "batch_norm": "more than one value for each channel while it trains",
    "instance_norm": "more than one position for each channel while it trains",
    "group_norm": "more than one value for each group",
}
_EVALUATED = "or, if its statistics should not change, call `eval()` on the layer"


def find(stack: Stack) -> Native | None:
    """The input of a normalization in training mode; None where something else was refused."""
    raised, found = stack.raised, stack.first((*_FUNCTIONS,), "nn/functional.py")
    thing = found[1].local("input") if found is not None else None
    if raised.name not in _CHECKS or found is None or not isinstance(thing, torch.Tensor):
        return None
    name = found[1].name
    layers = (each.local("self") for each in reversed(stack.inner) if each.function == "forward")
    layer = next((each for each in layers if isinstance(each, torch.nn.Module)), None)
    rest = (_EVALUATED,) if layer is not None else ()
    before = int(getattr(layer, "num_batches_tracked", None) or 0) - 1
    reduced = _reduced(thing)
    advice: tuple[str, ...]
    if name == "batch_norm" and before > 0:
        advice = ("pass `drop_last=True` to the `DataLoader`: only this batch has one sample", *rest)
    elif name == "batch_norm":
        after = f" after `{reduced}`" if reduced else ""
        advice = (
            "use batches of at least 2 samples",
            f"or leave this layer out{after}: one sample has no variance",
            *rest,
        )
    else:
        advice = (f"leave this layer out{f' after `{reduced}`' if reduced else ''}: one value has no variance",)
    return Native(
        thing=thing,
        by=f"torch: {name}",
        owner=layer,
        sides=(NativeSide(thing, "shape", str(tuple(thing.shape))), NativeSide(layer, "training", "True")),
        requires=_FUNCTIONS[name] + (f", and `{reduced}` leaves one" if reduced else ""),
        advice=advice,
    )


def _reduced(thing: Any) -> str:
    """The function that left one position, where it was recorded."""
    recording = current.recording()
    number = recording.recorder.serials.known(thing) if recording is not None else None
    if recording is None or number is None or thing.ndim < 3:
        return ""
    calls = recording.recorder.calls
    for call in calls.behind((number,)):
        given = [calls.shapes.get(each, ()) for each in references((call.args, call.kwargs))]
        if any(len(each) == thing.ndim and max(each[2:]) > 1 for each in given):
            made = calls.shapes.get(call.outputs[0], ())
            return call.name if len(made) == thing.ndim and max(made[2:]) == 1 else ""
    return ""
