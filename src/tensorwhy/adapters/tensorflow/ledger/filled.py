"""Fills the ledger of a session, and tells what its rows say: one finding for each first broken link."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from tensorwhy.adapters.tensorflow.ledger import ended, not_asked, not_handed, not_moved, unmoved
from tensorwhy.adapters.tensorflow.ledger.rows import Rows
from tensorwhy.diagnosis import ledger
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.ledger import Cause, Row
from tensorwhy.model.location import Location
from tensorwhy.model.report import Symptom


def rows(session: Any, understood: Collection[int] = ()) -> Iterable[Row]:
    """Every trainable variable of which a link is known; `understood`: those whose zeros have been explained."""
    filled = Rows(session)
    if session.tapes.updates.asks:
        session.tapes.updates.last_look()
        not_asked.fill(filled)
        not_handed.fill(filled)
        not_moved.fill(filled, understood)
        ended.fill(filled, understood)
        unmoved.fill(filled)
    return filled.rows()


def groups(session: Any, understood: Collection[int] = ()) -> Iterator[CaseGroup]:
    """What training never reached, and why."""
    yield from told(rows(session, understood))


def empty_lists(session: Any) -> Iterator[CaseGroup]:
    """What is known without the end of training: gradients that were asked for an empty list."""
    filled = Rows(session)
    not_asked.fill_empty(filled)
    yield from told(filled.rows())


def _place(fact: Cause) -> Location | None:
    return fact.trained_at if isinstance(fact, Untracked) else fact.asked


def told(found: Iterable[Row]) -> Iterator[CaseGroup]:
    """One group for each cause among these rows."""
    for fact in ledger.findings(found):
        yield CaseGroup(symptom=Symptom(kind="silent", location=_place(fact)), facts=(fact,))
