"""Returns what the function built."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import symbolic
from tensorwhy.model.facts.symbolic import OutputNotFromLayer

_WRONG = "unless an earlier tensor of the function is the output; then return that one"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """The missing `return` of the last tensor."""
    fact = case.fact
    if isinstance(fact, OutputNotFromLayer) and fact.given.sort == "NoneType":
        yield from worded(evidence, symbolic.returned(fact.given, case.sources), caveat=_WRONG)
