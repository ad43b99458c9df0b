"""Gradients that a program sets to zero in part, and what the step makes of those values all the same.

What a `backward` left is compared with what the step finds, in a few steps, for gradients that the program was seen to
change.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import torch

from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.serials import Weak
from tensorwhy.adapters.torch.training.between_steps import members
from tensorwhy.adapters.torch.training.optimizer_state import State

_SIZE = 1 << 22
"""A gradient of more numbers is not looked at."""
_LOOKS = 8
"""One of so many steps is looked at."""


class Moved:
    """Values that have a gradient of zero in all of the steps, as the program set it, and that these moved.

    `back`: the program has undone that.
    """

    def __init__(self, state: State, same: Any) -> None:
        self.state = state
        self.same = same
        self.steps = 0
        self.values = self.zeros = 0
        self.back = False
        self.by: set[str] = set()


class Masked:
    """Looks at the gradients of one recording."""

    def __init__(self, recorder: Recorder, states: dict[int, State]) -> None:
        self._recorder = recorder
        self._states = states
        self._raw: dict[int, Any] = {}
        self._before: list[tuple[Weak, Any, Any, Moved]] = []
        self._after: list[tuple[Weak, Any, Any, Moved]] = []
        self.found: dict[int, Moved] = {}
        """By the number of the parameter."""

    def computed(self) -> None:
        """A `backward` has returned: note what is not zero, where the next step is looked at."""
        if not self._recorder.masked:
            return
        with torch.no_grad(), torch._C.DisableTorchFunction():
            self._raw = {
                id(each): each.grad != 0
                for state in [*self._states.values()]
                if not (state.steps + 1) & state.steps or not (state.steps + 1) % _LOOKS
                for each in self._changed(state.optimizer())
            }

    def step(self, optimizer: Any, state: State) -> None:
        """An optimizer is about to make a step."""
        if not self._recorder.masked:
            return
        with torch.no_grad(), torch._C.DisableTorchFunction():
            self._settle()
            for each in self._changed(optimizer) if self._raw else ():
                number, was = self._recorder.serials.known(each), self._raw.pop(id(each), None)
                found = self.found.get(number or -1)
                wanted = was if found is None or was is None else found.same
                if number is None or wanted is None or wanted.shape != each.shape or wanted.device != each.device:
                    continue
                zero = each.grad == 0
                same = zero & wanted
                if bool(same.any()) and not bool(zero.all()):
                    found = self.found[number] = found or Moved(state, same)
                    found.same = same
                    self._before.append((Weak(each), each.detach().clone(), same, found))

    def stepped(self, optimizer: Any) -> None:
        """An optimizer has made a step."""
        if not self._before:
            return
        with torch.no_grad(), torch._C.DisableTorchFunction():
            for reference, before, same, found in self._before:
                each = reference()
                moved = same & (each != before) if each is not None and each.shape == before.shape else None
                if moved is not None and bool(moved.any()):
                    found.by |= _reasons(optimizer, each, moved)
                    self._after.append((reference, before, moved, found))
        self._before = []

    def _settle(self) -> None:
        """The next step begins: what was moved is still elsewhere, or was set back."""
        for reference, before, moved, found in self._after:
            each = reference()
            if each is not None and each.shape == before.shape:
                still = moved & (each != before)
                found.back |= not bool(still.any())
                found.steps += 1
                found.values, found.zeros = int(moved.sum()), int((before[moved] == 0).sum())
        self._after = []

    def _changed(self, optimizer: Any) -> Iterable[Any]:
        """The parameters of an optimizer whose gradients the program was seen to change."""
        known, masked = self._recorder.serials.known, self._recorder.masked
        for each in members(optimizer) if optimizer is not None else ():
            grad = each.grad
            if grad is not None and known(each) in masked and grad.layout is torch.strided and grad.numel() <= _SIZE:
                yield each


def _reasons(optimizer: Any, parameter: Any, moved: Any) -> set[str]:
    """What moves values whose gradient is zero."""
    held = optimizer.state.get(parameter, {}).values()
    kept = any(
        isinstance(each, torch.Tensor) and each.shape == moved.shape and bool(each[moved].any()) for each in held
    )
    decay = any(
        group.get("weight_decay") and any(each is parameter for each in group["params"])
        for group in optimizer.param_groups
    )
    return {reason for reason, applies in (("momentum", kept), ("decay", decay)) if applies}
