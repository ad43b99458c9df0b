"""Begins with a value of the dtype that the loop gives; decides for all elements together."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import LoopStructureChange, NoCondition

_WRONG = "unless you want whole numbers; then change what is added"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`total = 0.0` for `total = 0`, or a cast; `tf.reduce_any` around a condition with many values."""
    fact = case.fact
    if isinstance(fact, LoopStructureChange):
        yield from worded(evidence, loops.first_value(fact, case.sources), caveat=_WRONG)
    elif isinstance(fact, NoCondition):
        yield from worded(evidence, loops.decided(fact, case.sources))
