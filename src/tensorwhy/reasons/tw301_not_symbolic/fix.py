"""Builds the model on an `Input`, and leaves the data for the finished model."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import symbolic
from tensorwhy.model.facts.symbolic import NotSymbolic
from tensorwhy.reasons.tw301_not_symbolic.rule import only_given

_WRONG = "unless the values themselves belong to the model; then make them a constant in a layer"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """An `Input` with the shape and dtype of the data, and that where the layers and the model got the data."""
    fact = case.fact
    if isinstance(fact, NotSymbolic):
        alone = fact.given.parameter == "inputs" and only_given(fact, case)
        edits = () if alone else symbolic.with_input(fact.given, fact.used, case.sources)
        yield from worded(evidence, edits, caveat=_WRONG)
