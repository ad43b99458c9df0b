"""Hands out the tensor, and not the array."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import ArrayOutside
from tensorwhy.model.report import Fix

_WRONG = "unless the elements have different shapes; then use `concat`, or pad them"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`array.stack()` where the array left."""
    fact = case.fact
    if isinstance(fact, ArrayOutside):
        yield from worded(evidence, loops.stacked(fact, case.sources), caveat=_WRONG)
