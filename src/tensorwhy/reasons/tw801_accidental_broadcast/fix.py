"""Gives the operand with fewer axes the shape of the other one."""

from __future__ import annotations

from tensorwhy.diagnosis.operations import operands
from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import reshaping
from tensorwhy.model.facts.data import OuterResult


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`y - pred` as `tf.reshape(y, tf.shape(pred)) - pred`."""
    fact = case.fact
    found = operands(fact.operation, fact.sign, fact.location, case.sources) if isinstance(fact, OuterResult) else None
    if isinstance(fact, OuterResult) and found is not None:
        low, high = (found.left, found.right) if fact.low == 0 else (found.right, found.left)
        yield from worded(evidence, reshaping.as_other(low, high, fact.location, case.sources))
