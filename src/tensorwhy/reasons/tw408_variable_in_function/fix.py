"""Makes the layer or variable before the function, or in `__init__`."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import hoisting
from tensorwhy.model.facts.graph import LateVariable
from tensorwhy.model.report import Fix

_WRONG = "wrong where each call needs one of its own"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """The construction moved to where it runs once."""
    fact = case.fact
    if isinstance(fact, LateVariable):
        yield from worded(evidence, hoisting.made_once(fact.layer or fact.created, case.sources), caveat=_WRONG)
