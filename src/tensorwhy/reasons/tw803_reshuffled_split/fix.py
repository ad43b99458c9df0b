"""Keeps the order that the parts are cut from."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import literals
from tensorwhy.model.facts.data import ReshuffledSplit


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`shuffle(300)` as `shuffle(300, reshuffle_each_iteration=False)`."""
    fact = case.fact
    if isinstance(fact, ReshuffledSplit):
        yield from worded(evidence, literals.given("reshuffle_each_iteration", "False", fact.shuffled, case.sources))
