"""Gives the gradients to the optimizer, with the variables that they belong to."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import training
from tensorwhy.model.facts.training import Mispaired, NotHanded

_NEVER = "unless the gradients are only inspected; then nothing needs to change"
_WRONG = "unless the other list is the right one; then ask for the gradients of that list"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`apply_gradients` behind the gradients, where one optimizer is idle; the same list on both sides of `zip`."""
    fact = case.fact
    if isinstance(fact, NotHanded) and fact.problem == "never-applied":
        yield from worded(evidence, training.applied(fact.asked, case.sources), caveat=_NEVER)
    elif isinstance(fact, Mispaired) and (fact.keys or fact.nested):
        return
    elif isinstance(fact, Mispaired) and fact.problem == "unpaired":
        pair = training.listed if len(fact.variables) == 1 else training.zipped
        yield from worded(evidence, pair(fact.applied, case.sources))
    elif isinstance(fact, (NotHanded, Mispaired)):
        yield from worded(evidence, training.paired(fact.asked, fact.applied, case.sources), caveat=_WRONG)
