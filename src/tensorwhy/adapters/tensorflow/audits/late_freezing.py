"""Layers that were made untrainable too late for a step that had been traced."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.report import Symptom


def audit(session: Any) -> Iterator[CaseGroup]:
    """One group for each such statement."""
    session.tapes.updates.last_look()
    for fact in session.late_freezing.facts(session):
        yield CaseGroup(symptom=Symptom(kind="silent", location=fact.trained_at), facts=(fact,))
