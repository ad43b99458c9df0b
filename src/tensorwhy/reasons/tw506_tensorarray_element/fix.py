"""Makes the array for what is written into it."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import ArrayElementRejected

_WRONG = "unless the array has the right dtype; then cast what is written"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """Another dtype, or `dynamic_size=True`."""
    fact = case.fact
    if isinstance(fact, ArrayElementRejected):
        yield from worded(evidence, loops.element(fact, case.sources), caveat=_WRONG)
