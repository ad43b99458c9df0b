"""Makes the layer or variable before the function, in `__init__`, or in the first call only."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import hoisting
from tensorwhy.model.facts.graph import LateVariable

_WRONG = "unless each call needs its own; then do not trace the function"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The construction moved to where it runs once, or guarded."""
    fact = case.fact
    if isinstance(fact, LateVariable) and fact.first is None:
        place = fact.layer or fact.created
        once = hoisting.made_once(place, case.sources, traced=fact.function.rpartition(".")[2])
        guarded = hoisting.guarded(place, case.sources)
        yield from worded(evidence, once, guarded, caveat=_WRONG)
