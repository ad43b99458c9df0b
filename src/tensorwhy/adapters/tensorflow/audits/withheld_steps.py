"""Training steps of the program whose update is not in the graph: a count in Python left it out while it was traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.keras_common.learning import standing
from tensorwhy.lineage import withheld
from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import NotHanded
from tensorwhy.model.report import Symptom
from tensorwhy.source.files import Sources


def audit(session: Any) -> Iterator[CaseGroup]:
    """One group for each training call after which the optimizer had made no update."""
    if not standing.still:
        return
    journal, sources = session.journal, Sources()
    places = {row.place for row in journal.events(0, journal.position)}
    executed = {frame.location for place in places for frame in journal.chain(place)}
    told = set()
    for at, each in standing.still.items():
        lines = [frame for frame in executed if frame.function.endswith(each.step.function)] or [each.step]
        condition = withheld.condition(sources, lines[:1], executed)
        if condition is not None and condition not in told:
            told.add(condition)
            fact = NotHanded(
                problem="never-applied", variables=each.variables, asked=at, condition=condition, computed=False
            )
            yield CaseGroup(symptom=Symptom(kind="silent", location=at), facts=(fact,))
