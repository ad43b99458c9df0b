"""The values and gradients of parameters, looked at ever more rarely; a step after a bad one is recorded."""

from __future__ import annotations

import math
import threading
from typing import Any

import torch

from tensorwhy.adapters.torch.questions.asking import Asking
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.recording.unseen import Guarded
from tensorwhy.adapters.torch.replays.signals import largest, leaves_of, states
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.torch.training.updates import broken_by, not_finite
from tensorwhy.adapters.turns import parts, turn

_CLOSELY = 64
"""A bad gradient is followed in so many steps, and then ever more rarely."""
_KEPT = 1 << 22
"""So many numbers of an optimizer are copied now and then, as its last finite values."""
_WAKES = 4
"""So often a step is recorded because of what was seen in the one before it."""
_WAITING = 200
"""In so many steps it is waited for a loss that is not finite once more."""


_EARLY = 256
"""In so many steps one gradient is looked at, for the first that is not finite."""
_FURTHER = 6
"""So many steps are recorded after it: some batch gives NaN with the values of before, if not that of the next one."""


class Samples:
    """Looks at what the optimizers of a program are given, and leave."""

    def __init__(self, recorder: Recorder, asking: Asking, optimizers: dict[int, State]) -> None:
        self._recorder = recorder
        self._asking = asking
        self._optimizers = optimizers
        self._until: tuple[State, int] | None = None
        self._wakes = 0
        asking.on_lost = self._wait
        asking.signals.finite = self._finite

    def step(self, state: State, groups: Any, suspected: bool = False) -> None:
        """Look at a step that is about to be made, if it is one of those."""
        number, _ = turn(state.steps, len(state.members))
        if not number & (number - 1):  # looks at all parameters come ever more rarely
            self._sample(state, groups)
        elif suspected or (state.bad and (self._recorder.armed or state.steps <= _CLOSELY)):
            self._follow(state, groups)
        elif state.steps <= _EARLY and not state.broken and _breaks(groups):
            self._hold(state, groups)

    def _hold(self, state: State, groups: Any) -> None:
        """The first gradient is not finite, and no value is yet: keep the values, and have the next steps recorded."""
        given = [parameter for group in groups for parameter in group["params"]]
        values = {state.members[id(each)]: each.detach() for each in given if id(each) in state.members}
        if sum(each.numel() for each in values.values()) > _KEPT or not_finite(values):
            return
        self._follow(state, groups)
        if not any(kind == "n" for kind, _ in state.bad.values()):
            return  # only the sum was too large
        state.finite = {number: each.clone() for number, each in values.items()}
        state.fine = max(state.fine, state.steps - 1)
        self._wake(state, _FURTHER)

    def _sample(self, state: State, groups: Any) -> None:
        """Look at all gradients and values of a step, ever more rarely; if one is bad, have the next one recorded."""
        looked = _looked(state, groups)
        values = {number: parameter.detach() for number, parameter in looked.items()}
        before = {number for number, (kind, _) in state.bad.items() if kind == "z"}
        self._follow(state, groups)
        sizes, many = largest(values), parts(len(state.members))
        lost = {number for number, size in zip(values, sizes) if not math.isfinite(size)}
        state.broken = frozenset(state.broken - values.keys() | lost)
        broken = bool(state.broken) or any(kind == "n" for kind, _ in state.bad.values())
        new = {number for number, (kind, _) in state.bad.items() if kind == "z"} - before
        if not broken:
            state.looked = {id(parameter): number for number, parameter in looked.items()}
            state.update = None
            state.largest = max([state.largest, *sizes])
            if state.steps % many == 0:  # all were looked at since the step that is `fine`
                state.fine, size, state.largest = state.steps - many + 1, state.largest, 0.0
                state.size = state.size or size
                state.grown = size / state.size if state.size else 1.0
            if many * sum(each.numel() for each in values.values()) <= _KEPT:
                state.finite |= {number: each.clone() for number, each in values.items()}
        if new or (broken and state.lost is None):
            self._wake(state)
        if broken and state.lost is None:
            state.lost = state.fine, state.steps

    def stepped(self, state: State, optimizer: Any) -> None:
        """Look for the parameters that the step itself has spoiled."""
        if not state.looked or state.update is not None or state.closures.steps:
            return
        with self._recorder.hidden():
            state.update = broken_by(optimizer, state.looked, state.steps)

    def gone(self, state: State) -> None:
        """An optimizer goes: look at what it trained, as that may go with it."""
        recorder = self._recorder
        if not recorder.active or not state.steps or threading.get_ident() != recorder.thread:
            return
        with recorder.hidden(), Guarded(recorder.fail):
            alive = leaves_of(state.members.values(), recorder)
            if alive:
                state.broken = not_finite({number: each.detach() for number, each in alive.items()})

    def _wake(self, state: State, count: int = 1) -> None:
        """Have the next step recorded, or so many."""
        recorder = self._recorder
        if self._wakes < _WAKES and not (recorder.armed and not recorder.short.on):
            self._wakes += 1
            self._until = state, state.steps + count
            recorder.short.end()
            recorder.arm()

    def waiting(self) -> bool:
        """Whether a step is still to be recorded because of what was seen before."""
        signals = self._asking.signals
        if self._until is not None and self._until[0].steps < self._until[1] and not signals.caught:
            return True
        signals.waiting = False
        return False

    def _wait(self) -> None:
        """A loss is not finite, and the weights are: record until that happens again, in not too many steps."""
        recorder = self._recorder
        for state in self._optimizers.values():
            alive = leaves_of(state.members.values(), recorder) if state.steps else {}
            if alive and not not_finite({number: each.detach() for number, each in alive.items()}):
                self._until = state, state.steps + _WAITING
                self._asking.signals.waiting = True
                recorder.short.end()
                recorder.arm()
                return

    def _finite(self, number: int) -> Any:
        """Return the last finite value of a parameter that is not finite any more."""
        return next((state.finite[number] for state in self._optimizers.values() if number in state.finite), None)

    def _follow(self, state: State, groups: Any) -> None:
        """Count the steps with a bad gradient, where there was one."""
        looked = _looked(state, groups)
        grads = {number: each.grad for number, each in looked.items() if each.grad is not None}
        others = {number: bad for number, bad in state.bad.items() if number not in looked}
        state.bad = others | {
            number: (kind, state.bad[number][1] + 1 if state.bad.get(number, " ")[0] == kind else 1)
            for number, kind in states(grads).items()
            if kind
        }


def _breaks(groups: Any) -> bool:
    """Return whether the first gradient that there is seems to have something that is not finite."""
    first = next((each.grad for group in groups for each in group["params"] if each.grad is not None), None)
    if first is None or not first.is_cpu or first.layout is not torch.strided or not first.is_floating_point():
        return False
    return not math.isfinite(first.detach().sum().item())


def _looked(state: State, groups: Any) -> dict[int, Any]:
    """The parameters that a step looks at, by number."""
    given = [parameter for group in groups for parameter in group["params"]]
    _, positions = turn(state.steps, len(given))
    found = ((state.members.get(id(given[at])), given[at]) for at in positions)
    return {number: parameter for number, parameter in found if number is not None}
