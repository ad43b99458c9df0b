"""Terms of a loss that were computed from a gradient without a graph: they are constants, and train nothing."""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.adapters.torch.kinds import STOPS
from tensorwhy.adapters.torch.rules import CUT
from tensorwhy.adapters.torch.seen import Recording
from tensorwhy.adapters.torch.words import marked
from tensorwhy.model.facts.told import Observed
from tensorwhy.model.location import Location
from tensorwhy.model.report import Fix
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.recording.sources import Sources

_ADDING = frozenset(
    {"add", "sub", "__radd__", "__rsub__", "rsub", "add_", "sub_", "__iadd__", "__isub__", "stack", "cat"}
)
_KEEPING = frozenset({"sum", "mean", "mul", "div", "neg", "squeeze", "reshape", "view", "to", "float", *_ADDING})
"""Through these, the sum that a loss is can be followed: all else makes something new of its terms."""


class Terms:
    """Looks at the losses of one recording."""

    def __init__(self, session: Recording, sources: Sources) -> None:
        self._session, self._sources = session, sources
        self._lineage = session.lineage()

    def facts(self) -> Iterator[Observed]:
        """One fact for each call of `autograd.grad` whose result is a mere constant in a loss."""
        calls = {each.place: each for each in self._session.asking.backwards if each.whole}
        told: set[int] = set()
        for call in calls.values():
            for added, term in self._terms(call.targets):
                asked = self._asked(term)
                if asked is not None and asked.place not in told:
                    told.add(asked.place)
                    yield self._told(asked, added, call.place)

    def _terms(self, targets: tuple[int, ...]) -> Iterator[tuple[Event, int]]:
        """The terms without a graph that are added to something with one."""
        requires = self._session.recorder.serials.requires
        seen, waiting = set(targets), list(targets)
        while waiting:
            for event in self._lineage.makers(waiting.pop()):
                name = self._name(event)
                if event.kind != j.OP or name not in _KEEPING:
                    continue
                for each in event.inputs:
                    if each <= 0 or each in seen:
                        continue
                    seen.add(each)
                    if requires(each):
                        waiting.append(each)
                    elif name in _ADDING:
                        yield event, each

    def _asked(self, term: int) -> Event | None:
        """The call of `autograd.grad` that a term comes from, unless it was detached on the way."""
        seen, waiting = {term}, [term]
        while waiting:
            for event in self._lineage.makers(waiting.pop()):
                name = self._session.journal.names[event.name]
                if name == f"autograd.grad{CUT}":
                    return event
                if event.kind != j.OP or self._name(event) in STOPS:
                    continue
                waiting += [each for each in event.inputs if each > 0 and each not in seen]
                seen.update(event.inputs)
        return None

    def _name(self, event: Event) -> str:
        return self._session.journal.names[event.name].partition("|")[0]

    def _told(self, asked: Event, added: Event, place: int) -> Observed:
        return Observed(
            slug="no-second-order-gradient",
            message="a term of the loss is a constant, and trains nothing: it is computed from a gradient, and"
            " `autograd.grad` was called without `create_graph=True`",
            label="this gradient has no history",
            location=self._at(asked.place),
            related=(
                *marked(self._at(added.place), "the term is added to the loss here, as a constant", "added"),
                *marked(self._at(place), "the loss is differentiated here", "asked"),
            ),
            severity="warning",
            fixes=(
                Fix(
                    summary="pass `create_graph=True`",
                    caveat="unless the term is only added so that its value shows in the loss",
                ),
            ),
        )

    def _at(self, place: int) -> Location | None:
        return self._session.journal.location(place)
