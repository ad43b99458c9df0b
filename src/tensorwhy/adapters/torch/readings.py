"""What the ledger of effects keeps of a call, and how it reads rates, versions, layers and scalers."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import torch
from torch import nn

from tensorwhy.adapters.torch.between_steps import Held

_DROPOUT = nn.modules.dropout._DropoutNd
_NORM = nn.modules.batchnorm._NormBase


class Effect:
    """The calls of one kind at one place, for one subject: `before` and `after` are what was read around the last one.

    `vain` of them changed nothing. `row` is where the journal stood at the last one; `found` is what was seen later.
    """

    def __init__(self, place: int, subject: Any, of: Any) -> None:
        self.place = place
        self.subject: Callable[[], Any] = weakref.ref(subject)
        self.of = type(of).__name__
        self.calls = self.vain = self.row = 0
        self.before: Any = None
        self.after: Any = None
        self.found: Any = None


class Clipped(NamedTuple):
    """After so many calls of `backward`, the gradients of these parameters had this norm before they were clipped.

    `left` is a gradient as it was left, and `first` the parameter of it.
    """

    number: int
    members: frozenset[int]
    norm: Any
    limit: float
    first: int
    left: Held | None


class Compared(NamedTuple):
    """Layers that were used with their first statistics, by the number of those, and where training mode came after."""

    row: int
    names: dict[int, str]


class Use:
    """Steps after gradients were clipped: `late` computed theirs after that.

    Before `spent` of those a call clipped what an earlier step had used. `scaled` has the scale of a step that was
    divided by it after that, with the norm that was left.
    """

    def __init__(self) -> None:
        self.steps = self.late = self.spent = 0
        self.scaled: list[tuple[float, float]] = []
        self.step = self.backward = -1


def rates(optimizer: Any) -> tuple[float, ...]:
    """The learning rate of each group."""
    return tuple(float(group.get("lr", 0.0)) for group in getattr(optimizer, "param_groups", ()))


def version(module: Any) -> int:
    """How often the values of a module were changed."""
    return sum(each._version for each in (*module.parameters(), *module.buffers()))


def is_own(module: Any, state: Any) -> bool:
    """Whether all tensors of a state are those of a module."""
    if not isinstance(state, Mapping):
        return False
    with torch._C.DisableTorchFunction():
        own = {*(each.data_ptr() for each in (*module.parameters(), *module.buffers()) if each.numel())}
        held = [each.data_ptr() for each in state.values() if isinstance(each, torch.Tensor) and each.numel()]
    return bool(held) and own.issuperset(held)


def behaves_otherwise(module: Any) -> bool:
    """Whether a layer computes something else in evaluation mode."""
    if isinstance(module, _DROPOUT):
        return bool(module.p)
    return isinstance(module, _NORM) and isinstance(module.running_mean, torch.Tensor)


def is_new(module: Any) -> bool:
    """Whether a layer still has the statistics that it was created with."""
    if not isinstance(module, _NORM) or not isinstance(module.running_mean, torch.Tensor):
        return False
    with torch._C.DisableTorchFunction():
        count = module.num_batches_tracked
        if count is not None and bool(count):
            return False
        return not bool(module.running_mean.any()) and bool((module.running_var == 1).all())


def scaler_of(frame: Any) -> Any:
    """The scaler that makes the step of a frame."""
    for _ in range(8):
        if frame is None:
            break
        if frame.f_code.co_name == "step" and frame.f_code.co_filename.endswith("grad_scaler.py"):
            return frame.f_locals.get("self")
        frame = frame.f_back
    return None
