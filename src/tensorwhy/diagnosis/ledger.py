"""Reads rows of the ledger: the first broken link of a variable is why it is not trained."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.ledger import LINKS, Cause, Entry, Row


def first_broken(row: Row) -> Entry | None:
    """Return the first broken link in the order of a training step; later ones are its consequences."""
    return min(row.entries, key=lambda entry: LINKS.index(entry.link), default=None)


def findings(rows: Iterable[Row]) -> Iterator[Cause]:
    """Yield one fact for each cause, with all variables whose first broken link has that cause."""
    alike: dict[Cause, list[Row]] = {}
    for row in rows:
        entry = first_broken(row)
        if entry is not None:
            alike.setdefault(entry.cause, []).append(row)
    for cause, together in alike.items():
        if isinstance(cause, NotTrained):
            cause = msgspec.structs.replace(cause, variables=tuple(row.variable for row in together))
        yield cause
