"""The rows of the ledger while they are filled: one per variable, with what each link's reader found out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from tensorwhy.adapters.tensorflow.variables import described
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.ledger import Cause, Entry, Link, Row
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable

STEPS = 3
"""So many steps must have been seen before anything is said about what they never do."""

Kind = TypeVar("Kind", bound=NotTrained)


class Rows:
    """What readers of links ask a session, and where they enter what they found. Variables are their handles.

    `sites`: the first question of each call site, which was recorded for sure.
    """

    def __init__(self, session: Any) -> None:
        self.session = session
        self.updates, self.applied = session.tapes.updates, session.tapes.applied
        self.known: dict[int, Variable] = session.tapes.variables
        asks: list[Ask] = self.updates.asks
        self.sites: dict[tuple[int, int], Ask] = {(ask.place, ask.owner): ask for ask in reversed(asks)}
        self._entries: dict[int, list[Entry]] = {}

    def steps(self, ask: Ask) -> int:
        """How often the step with this call has run."""
        count: int = self.updates.calls.get(ask.owner, 0) if ask.owner else self.updates.counts[ask.place]
        return count

    def changed(self, handle: int) -> bool:
        """Return whether the value was ever seen to change."""
        return handle in self.updates.watched and bool(self.updates.watched[handle].ever_changed())

    def given(self, ask: Ask) -> list[int]:
        """The variables for which this call gave a gradient."""
        return [h for h, key in zip(ask.handles, ask.gradients) if h >= 0 and key >= 0]

    def place(self, place: int) -> Location | None:
        """The line of a place of the journal."""
        found: Location | None = self.session.journal.location(place)
        return found

    def cause(self, kind: type[Kind], problem: Any, ask: Ask, **fields: Any) -> Kind:
        """Make the cause of a break at one call site; the variables are added when rows are read."""
        return kind(problem=problem, asked=self.place(ask.place), steps=self.steps(ask), **fields)

    def broken(self, link: Link, handles: Iterable[int], cause: Cause) -> None:
        """Enter a broken link. Of several for one variable, the first that is entered counts."""
        for handle in handles:
            self._entries.setdefault(handle, []).append(Entry(link=link, cause=cause))

    def is_broken(self, handle: int) -> bool:
        """Return whether any link of a variable is broken so far."""
        return handle in self._entries

    def rows(self) -> Iterator[Row]:
        """All rows, with each variable as it is known at the end."""
        for handle, entries in self._entries.items():
            if handle in self.known:
                yield Row(variable=described.variable(self.session, handle), entries=tuple(entries))
