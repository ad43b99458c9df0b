"""Hands out the tensor, and not the array."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import ArrayOutside

_WRONG = "unless the elements have different shapes; then use `concat`, or pad them"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`array.stack()` where the array left."""
    fact = case.fact
    if isinstance(fact, ArrayOutside):
        yield from worded(evidence, loops.stacked(fact, case.sources), caveat=_WRONG)
