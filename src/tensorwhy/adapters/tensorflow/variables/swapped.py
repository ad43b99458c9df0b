"""Variables that were handed to an optimizer as gradients, and gradients as variables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.report import Symptom


def groups(session: Any) -> Iterator[CaseGroup]:
    """The call that the optimizer refused."""
    tapes = session.tapes
    if tapes.applied.swapped is None:
        return
    place, handles = tapes.applied.swapped
    known = tuple(tapes.variables[handle] for handle in handles if handle in tapes.variables)
    applied = session.journal.location(place)
    if known and applied is not None:
        fact = NotTrained(problem="swapped", variables=known, asked=None, applied=applied, refused=True)
        symptom = Symptom(kind="exception", message="the optimizer refused what it was given", location=applied)
        yield CaseGroup(symptom=symptom, facts=(fact,))
