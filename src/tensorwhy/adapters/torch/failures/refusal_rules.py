"""Functions of PyTorch's whose source does not tell what they require, or what to do then: one row for each."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from tensorwhy.adapters.refusal.described import FrameRule
from tensorwhy.adapters.stack import Frame


def _was(stage: str) -> Callable[[Frame], bool]:
    """Return whether a scaler has already done something with the gradients of an optimizer."""
    return lambda frame: str(getattr(_stage(frame), "name", "")) == stage


def _stage(frame: Frame) -> Any:
    known = frame.local("optimizer_state")
    return known.get("stage") if isinstance(known, dict) else None


_EACH_TIME = (
    "call `update()` of the scaler at the end of each step, also of one that is skipped: before `continue` or `return`",
)
_SCALER = tuple(
    FrameRule(
        function=function,
        file="amp/grad_scaler.py",
        local="optimizer",
        requires="each optimizer once between two calls of `update()`",
        advice=_EACH_TIME,
        when=_was(stage),
    )
    for function, stage in (("unscale_", "UNSCALED"), ("unscale_", "STEPPED"), ("step", "STEPPED"))
)


def _other_batch(frame: Frame) -> bool:
    """Return whether a state differs from the input in nothing but the number of samples."""
    state, wanted = frame.local("hx"), frame.local("expected_hidden_size")
    if not isinstance(state, torch.Tensor) or not isinstance(wanted, tuple) or state.ndim != len(wanted):
        return False
    return [each for each, other in zip(state.shape, wanted) if each != other] == [state.shape[-2]]


def _is_unsorted(frame: Frame) -> bool:
    lengths = frame.local("lengths")
    if frame.local("enforce_sorted") is not True or not isinstance(lengths, torch.Tensor):
        return False
    found = lengths.tolist()
    return bool(found != sorted(found, reverse=True))


def _starts_again(frame: Frame) -> bool:
    group = frame.local("group")
    return isinstance(group, dict) and "initial_lr" not in group


def _is_transformed(frame: Frame) -> bool:
    given = frame.local("inp")
    return isinstance(given, torch.Tensor) and torch._C._functorch.is_functorch_wrapped_tensor(given)


def _is_unready(frame: Frame) -> bool:
    return isinstance(frame.local("self"), torch.nn.Module) and "_parameters" not in vars(frame.local("self"))


def _is_result(frame: Frame) -> bool:
    module, value = frame.local("self"), frame.local("value")
    named = isinstance(module, torch.nn.Module) and frame.local("name") in vars(module).get("_parameters", ())
    return named and isinstance(value, torch.Tensor) and not isinstance(value, torch.nn.Parameter)


RULES: tuple[FrameRule, ...] = (
    FrameRule(
        function="__setattr__",
        file="nn/modules/module.py",
        requires="`super().__init__()` to be called before it",
        advice=("call `super().__init__()` at the beginning of `__init__`",),
        when=_is_unready,
        place=True,
    ),
    FrameRule(
        function="__setattr__",
        file="nn/modules/module.py",
        local="value",
        requires="an `nn.Parameter`, because the attribute is one already",
        advice=(
            "give what is computed a name of its own, and leave the parameter as it is",
            "or change only its values: `copy_()` under `torch.no_grad()`",
        ),
        when=_is_result,
    ),
    FrameRule(
        function="check_recomputed_tensors_match",
        file="utils/checkpoint.py",
        requires="each function that `checkpoint` runs again to compute the same, and one did not",
        advice=(
            "move what differs out of that function: random numbers of Python or NumPy, a counter, a cache that it"
            " appends to, a switch that was changed in between",
        ),
        place=True,
    ),
    FrameRule(function="_engine_run_backward", file="autograd/graph.py", requires="", place=True),
    *_SCALER,
    FrameRule(
        function="check_hidden_size",
        file="nn/modules/rnn.py",
        local="hx",
        requires="a state with as many samples as the input has",
        advice=(
            "create the state in each step, for as many samples as the input has",
            "or pass `drop_last=True` to the `DataLoader`, if only the last batch is smaller",
        ),
        when=_other_batch,
    ),
    FrameRule(
        function="__init__",
        file="optim/lr_scheduler.py",
        local="optimizer",
        requires="groups with `initial_lr` where `last_epoch` is not -1, and a new optimizer has none",
        advice=(
            "load the state of the optimizer that was saved, before the scheduler is created",
            "or leave out `last_epoch`, and load the saved state of the scheduler",
        ),
        when=_starts_again,
    ),
    FrameRule(
        function="_grad_preprocess",
        file="autograd/functional.py",
        local="inp",
        requires="a tensor outside of transforms (`vmap`, `grad`), as it makes a leaf of it",
        advice=("use the function of the same name in `torch.func`, which works inside of transforms",),
        when=_is_transformed,
    ),
    FrameRule(
        function="pack_padded_sequence",
        file="nn/utils/rnn.py",
        local="lengths",
        requires="lengths in decreasing order, unless `enforce_sorted=False` is passed",
        advice=("pass `enforce_sorted=False` to `pack_padded_sequence`",),
        when=_is_unsorted,
    ),
)
