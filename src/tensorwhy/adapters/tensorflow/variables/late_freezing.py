"""Layers that are made untrainable when a step that trains them has been traced: the trace goes on training them.

A trace keeps the list of variables that it was made with. So a function that runs on after the statement, and whose
variables change all the same, shows that it had no effect. A program that sets the flag again and again, for each of
two networks in turn, knows what a trace keeps; and where something else was traced or compiled after the statement, it
may have been said for that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.keras_common.learning import frozen, trainability
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.variables.described import variables
from tensorwhy.adapters.tensorflow.variables.updates import Ask, Updates
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import StaleTrainable
from tensorwhy.model.report import Symptom
from tensorwhy.recording import locations

_STEPS = 3
_MOST, _AGAIN = 64, 3
"""So many statements are kept, and so many about the same variables."""


class _Then(NamedTuple):
    """A statement, and how often each function that trains some of its variables had run."""

    said: frozen.Said
    calls: dict[int, int]


class LateFreezing:
    """Listens to what is said of layers, and compares their variables when it is said."""

    def __init__(self, recorder: Recorder, updates: Updates) -> None:
        self._recorder, self._updates = recorder, updates
        self._kept: list[_Then] = []

    def install(self) -> None:
        """Listen until recording stops."""
        frozen.listeners.append(self._said)
        self._recorder.at_stop(lambda: frozen.listeners.remove(self._said))

    def _said(self, layer: Any, said: frozen.Said) -> None:
        alike = sum(each.said.handles == said.handles for each in self._kept)
        if said.value or len(self._kept) >= _MOST or alike > _AGAIN:
            return
        active, self._recorder.active = self._recorder.active, False
        try:
            self._updates.run.settle()
            calls = {}
            for ask in self._updates.asks:
                trained = said.handles.intersection(ask.handles)
                if ask.owner and trained:
                    calls[ask.owner] = self._updates.calls.get(ask.owner, 0)
                    for handle in trained:
                        self._updates.watched[handle].look((ask.owner, calls[ask.owner]))
            if calls:
                self._kept.append(_Then(said, calls))
        except Exception as error:
            self._recorder.fail(error)
        finally:
            self._recorder.active = active

    def without_effect(self) -> Iterator[tuple[_Then, Ask, list[int]]]:
        """The last statement about some variables, with the first question for those that a function changed since."""
        untrainable = set(frozen.by_handle()) if self._kept else set()
        for kept in self._kept:
            said = kept.said
            later = [each.said.handles for each in self._kept if each.said.time > said.time]
            handles = said.handles.intersection(untrainable).difference(*later)
            alike = sum(each.said.handles == said.handles for each in self._kept)
            if not handles or alike > _AGAIN or self._for_another(said) or trainability.compiled_since(said):
                continue
            for ask in self._updates.asks:
                found = [handle for handle in ask.handles if handle in handles and self._goes_on(handle, ask, kept)]
                if found:
                    yield kept, ask, found
                    break

    def _goes_on(self, handle: int, ask: Ask, kept: _Then) -> bool:
        then = kept.calls.get(ask.owner)
        if then is None or not ask.by_user or ask.time > kept.said.time:
            return False
        since = self._updates.calls.get(ask.owner, 0) - then
        return since >= _STEPS and self._updates.watched[handle].changed_after(ask.owner, then)

    def _for_another(self, said: frozen.Said) -> bool:
        """Return whether something that reads the variables, or asks for them anew, was traced or run since."""
        return any(
            ask.time > said.time and not said.handles.isdisjoint({*ask.unasked, *ask.handles})
            for ask in self._updates.asks
        )


def facts(session: Any) -> Iterator[CaseGroup]:
    """One group for each line that was the last to say so of variables which a function has changed since."""
    session.tapes.updates.last_look()
    lines: dict[tuple[int, int], list[tuple[_Then, Ask, list[int]]]] = {}
    for each in session.late_freezing.without_effect():
        place = each[0].said.place
        lines.setdefault((id(place[0]), place[1]), []).append(each)
    for found in lines.values():
        kept, ask, _ = found[0]
        handles = dict.fromkeys(handle for _, _, own in found for handle in own)
        fact = StaleTrainable(
            value=False,
            said=locations.resolve(*kept.said.place),
            variables=variables(session, handles),
            layer=kept.said.name if len(found) == 1 else "",
            trained_at=session.journal.location(ask.place),
            traced=True,
        )
        yield CaseGroup(symptom=Symptom(kind="silent", location=fact.trained_at), facts=(fact,))
