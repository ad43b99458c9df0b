"""Steps at rest that there is nothing to look at in: nearly all, which are held up for a moment alone."""

from __future__ import annotations

from threading import get_ident
from typing import Any

from tensorwhy.adapters.torch.questions.asking import Asking
from tensorwhy.adapters.torch.recording.recorder import Recorder
from tensorwhy.adapters.torch.training.effects import Effects
from tensorwhy.adapters.torch.training.optimizer_state import State
from tensorwhy.adapters.turns import parts

_SETTLED = 16
"""The first steps are all looked at."""


class Passing:
    """Lets such steps pass. `state` is that of the optimizer that makes one now."""

    def __init__(
        self, recorder: Recorder, asking: Asking, states: dict[int, State], effects: Effects, rates: dict[int, float]
    ) -> None:
        self._recorder = recorder
        self._asking = asking
        self._states = states
        self._effects = effects
        self._rates = rates
        self.state: State | None = None

    def due(self, state: State) -> int:
        """Return the next step of an optimizer that is looked at."""
        follows = state.looked or state.bad or state.nones or state.still or state.zero_in_row or state.closures.steps
        if follows or state.steps < _SETTLED or not state.members or parts(len(state.members)) > 1:
            return 0
        return self._effects.due(state)

    def begins(self, optimizer: Any) -> bool:
        """Whether there is nothing to look at in a step that begins. It is counted then."""
        recorder, state = self._recorder, self._states.get(id(optimizer))
        held = state.optimizer() if state is not None else None
        if state is None or state.steps + 1 >= state.due or held is None or held is not optimizer:
            return False
        if self._asking.number == state.seen_backward or state.stirred != recorder.stirred:
            return False
        if recorder.silent or get_ident() != recorder.thread or state.met != len(recorder.parameters):
            return False
        groups = held.param_groups
        if len(groups) != state.groups or id(groups[0]) != state.left.first:
            return False
        for group in groups:
            if type(group.get("lr")) is not float:
                return False
        if len(groups) > 1 or groups[0]["lr"] != state.rate:
            self._effects.rated(state, groups)
            self._rates[state.made] = state.rate
            if state.still or state.zero_in_row:
                state.due = 0
        state.steps += 1
        state.unfollowed += state.fresh
        self.state = state
        return True

    def ends(self, optimizer: Any) -> State | None:
        """Return the state of an optimizer whose step was let pass, and is made."""
        state = self.state
        if state is None or state.optimizer() is not optimizer or get_ident() != self._recorder.thread:
            return None
        self.state = None
        state.seen_backward = self._asking.number
        return state
