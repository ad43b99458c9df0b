"""One ledger of the calls that are meant to change a state, and of what they really changed.

An adapter says for each kind of call how the state is read before and after it. What was read is kept by the place of
the call and by its subject, and told at the end.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Hashable
from typing import Any

MOST = 64
"""So many rows of each kind are kept."""


class Effect:
    """The calls of one kind at one place, for one subject: `before` and `after` are what was read around the last one.

    `vain` of them changed nothing. `row` is where a journal stood at the last one; `found` is what else was seen.
    """

    def __init__(self, place: Any, subject: Any) -> None:
        self.place = place
        self.subject: Callable[[], Any] = weakref.ref(subject) if subject is not None else lambda: None
        self.of = ""
        self.calls = self.vain = self.row = 0
        self.before: Any = None
        self.after: Any = None
        self.found: Any = None


class Ledger:
    """Rows by kind, and by place and subject."""

    def __init__(self) -> None:
        self.rows: dict[str, dict[tuple[Hashable, int], Effect]] = {}

    def of(self, kind: str) -> list[Effect]:
        """The rows of one kind."""
        return [*self.rows.get(kind, {}).values()]

    def row(self, kind: str, place: Hashable, subject: Any = None) -> Effect | None:
        """The row of a place and a subject, if there is one."""
        found = self.rows.get(kind, {}).get((place, id(subject)))
        return found if found is not None and found.subject() is subject else None

    def enter(self, kind: str, place: Hashable, subject: Any, vain: bool, passing: bool = False) -> Effect | None:
        """Add a call; None where there are too many. Rows of `passing` subjects are forgotten with them."""
        rows, effect = self.rows.setdefault(kind, {}), self.row(kind, place, subject)
        if effect is None:
            if len(rows) >= MOST and passing:
                rows = self.rows[kind] = {at: each for at, each in rows.items() if each.subject() is not None}
            if len(rows) >= MOST:
                return None
            effect = rows[place, id(subject)] = Effect(place, subject)
        effect.calls += 1
        effect.vain += vain
        return effect
