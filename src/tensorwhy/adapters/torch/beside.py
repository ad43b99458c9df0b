"""What programs do beside the steps of their optimizers: clip, schedule, evaluate, save and load."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.torch import clipping
from tensorwhy.adapters.torch.asking import Asking
from tensorwhy.adapters.torch.clipping import Clipping
from tensorwhy.adapters.torch.evaluation import Evaluation
from tensorwhy.adapters.torch.optimizer_state import State
from tensorwhy.adapters.torch.recorder import Recorder
from tensorwhy.adapters.torch.saved_states import SavedStates
from tensorwhy.adapters.torch.schedules import Schedules
from tensorwhy.model.facts.told import Observed
from tensorwhy.recording.journal import Journal
from tensorwhy.source.files import Sources


class Beside:
    """All of these, for one recording."""

    def __init__(self, recorder: Recorder, asking: Asking, states: dict[int, State]) -> None:
        self._recorder = recorder
        self._states = states
        self._clipping = Clipping(recorder, lambda: (asking.number, asking.last_place))
        self._schedules = Schedules(recorder)
        self._evaluation = Evaluation(recorder, states)
        self._saved = SavedStates(recorder)

    def install(self) -> None:
        """Put the hooks in."""
        for each in (self._clipping, self._schedules, self._evaluation, self._saved):
            each.install()

    def step(self, optimizer: Any, state: State, frame: Any) -> None:
        """An optimizer is about to make a step."""
        if self._clipping.clips:
            place = self._recorder.place(frame)
            self._clipping.step(optimizer, state.seen_backward, state.steps, place, frame)
        if self._schedules.loaded:
            self._schedules.step(optimizer)
        if self._evaluation.turned:
            self._evaluation.step(state)

    def facts(self, journal: Journal, sources: Sources) -> Iterator[Observed]:
        """One fact for each mistake."""
        yield from clipping.facts(self._clipping.clips.values(), journal, sources)
        yield from self._schedules.facts([state for state in self._states.values() if state.steps], journal)
        yield from self._evaluation.facts(journal)
        yield from self._saved.facts(journal)
