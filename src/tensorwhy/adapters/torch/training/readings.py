"""What the ledger of effects keeps of a call, and how it reads rates, versions, layers and scalers."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any, NamedTuple

import torch
from torch import nn

from tensorwhy.adapters.torch.training.between_steps import Held, memory

_DROPOUT = nn.modules.dropout._DropoutNd
_NORM = nn.modules.batchnorm._NormBase


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


class Epochs:
    """The numbers that a schedule was given for the epoch: those that are not whole, and how many fall to such a one.

    `before` are the rates before the first of them, and `after` those after the last.
    """

    def __init__(self, place: int, of: str, first: float, before: tuple[float, ...]) -> None:
        self.place, self.of, self.first, self.before = place, of, first, before
        self.last, self.after = first, before
        self.calls = self.falls = 0

    def add(self, epoch: float, after: tuple[float, ...]) -> None:
        """Note one of them."""
        self.calls += 1
        self.falls += epoch < self.last
        self.last, self.after = epoch, after


def part_of_epoch(call: Any) -> float | None:
    """The epoch that a schedule is given, if it is not whole; None for any other call."""
    given = call.args[1] if len(call.args) > 1 else call.kwargs.get("epoch")
    if given is None or type(given) is int:
        return None
    if isinstance(given, torch.Tensor) and (given.numel() != 1 or given.device.type != "cpu"):
        return None
    try:
        epoch = float(given)
    except (TypeError, ValueError):
        return None
    return None if epoch.is_integer() else epoch


class Use:
    """Steps after gradients were clipped: `late` computed theirs after that.

    Before `spent` of those a call clipped what an earlier step had used. `scaled` has the scale of a step that was
    divided by it after that, with the norm that was left.
    """

    def __init__(self) -> None:
        self.steps = self.late = self.spent = 0
        self.scaled: list[tuple[float, float]] = []
        self.step = self.backward = -1


def rate_of(group: dict[str, Any], unknown: float) -> float:
    """The learning rate of a group; `unknown` where it has none, or leaves that to the optimizer (Adafactor's None)."""
    given = group.get("lr")
    if type(given) is float:
        return given
    if isinstance(given, numbers.Real) or (isinstance(given, torch.Tensor) and given.numel() == 1):
        return float(given)
    return unknown


def rates(optimizer: Any) -> tuple[float, ...]:
    """The learning rate of each group."""
    return tuple(rate_of(group, 0.0) for group in getattr(optimizer, "param_groups", ()))


def version(module: Any) -> int:
    """How often the values of a module were changed."""
    return sum(each._version for each in (*module.parameters(), *module.buffers()))


def is_own(module: Any, state: Any) -> bool:
    """Whether all tensors of a state are those of a module."""
    own = own_names(module, state)
    return bool(own) and len(own) == sum(isinstance(each, torch.Tensor) and each.numel() > 0 for each in state.values())


def own_names(module: Any, state: Any) -> list[str]:
    """The names in a state of tensors that share the memory of a module."""
    if not isinstance(state, Mapping):
        return []
    with torch._C.DisableTorchFunction():
        own = {*(memory(each) for each in (*module.parameters(), *module.buffers()) if each.numel())}
        held = ((key, each) for key, each in state.items() if isinstance(each, torch.Tensor) and each.numel())
        return [key for key, each in held if memory(each) in own]


def behaves_otherwise(module: Any) -> bool:
    """Whether a layer computes something else in evaluation mode."""
    if isinstance(module, _DROPOUT):
        return bool(module.p)
    return has_statistics(module)


def has_statistics(module: Any) -> bool:
    """Whether a layer keeps running statistics."""
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
