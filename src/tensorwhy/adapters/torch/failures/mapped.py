"""A call that takes a batch, in a function that `vmap` gives one sample at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import msgspec
import torch

from tensorwhy.adapters.refusal.described import Native, NativeSide
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.torch.failures.failed_call import Failed, leaves
from tensorwhy.adapters.torch.failures.trials import Trials
from tensorwhy.model.location import Marked

_functorch = torch._C._functorch


def find(failed: Failed, stack: Stack) -> Native | None:
    """The first tensor of the call, where the call takes whole batches and refuses each of their samples alone."""
    found = stack.first("flat_vmap", "_functorch/vmap.py")
    caller = stack.caller(found[0]) if found is not None else None
    thing = next((each for each in leaves(failed) if isinstance(each, torch.Tensor)), None)
    if found is None or caller is None or thing is None or _whole(thing).ndim == thing.ndim:
        return None
    samples, batches = _with(failed, lambda each: _whole(each)[0]), _with(failed, _whole)
    if Trials(samples, stack.exception).runs() or not Trials(batches, stack.exception).runs():
        return None
    size, axes = found[1].local("batch_size"), _whole(thing).ndim
    label = f"`vmap` removes the batch axis here: the function gets one of {size} samples"
    return Native(
        thing=thing,
        by=f"torch: {failed.name or type(failed.module).__name__}",
        owner=failed.module,
        sides=(NativeSide(thing, "ndim", str(thing.ndim)), NativeSide(None, "", str(axes))),
        takes=f"the whole batch, {tuple(_whole(thing).shape)}",
        advice=(
            "give each sample an axis again in the function that `vmap` is given, and take it from the result:"
            " `lambda x: f(x.unsqueeze(0)).squeeze(0)`",
        ),
        marks=(Marked.at(caller.location, label, "mapped"),),
    )


def _whole(tensor: Any) -> Any:
    """What `vmap` maps over, with the axis of the batch in front; the tensor itself where that is no sample of it."""
    axes: list[int] = []
    while _functorch.is_functorch_wrapped_tensor(tensor):
        inner = _functorch.get_unwrapped(tensor)
        if _functorch.is_batchedtensor(tensor):
            axes.append(_functorch.maybe_get_bdim(tensor))
        tensor = inner
    return tensor.detach().movedim(axes[0], 0) if len(axes) == 1 else tensor


def _with(failed: Failed, change: Callable[[Any], Any]) -> Failed:
    """The same call with other tensors in the place of those that `vmap` made."""

    def changed(thing: Any) -> Any:
        mapped = isinstance(thing, torch.Tensor) and _functorch.is_functorch_wrapped_tensor(thing)
        return change(thing) if mapped else thing

    args, kwargs = tuple(map(changed, failed.args)), {key: changed(each) for key, each in failed.kwargs.items()}
    return msgspec.structs.replace(failed, args=args, kwargs=kwargs)
