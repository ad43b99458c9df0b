"""Makes a layer in `__init__`, an optimizer anew, a list of variables where it is used."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import hoisting, optimizers, training
from tensorwhy.model.facts.training import NotAsked
from tensorwhy.model.facts.variables import TooLate

_WRONG = "unless each call needs its own layer; then train none of them"
_ANEW = "unless momentum and step count should carry over; then build it once with all variables"
_OTHER = "unless one optimizer should count the steps of both; then build it once with the variables of both"
_AGAIN = "unless the list should leave out what is created later; then keep it"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """Where the thing that comes too late, or what should know it, can be made at another place."""
    fact = case.fact
    if isinstance(fact, TooLate) and fact.finished == "optimizer":
        make = optimizers.second if fact.another_model else optimizers.renewed
        edits = make(fact.finished_at, fact.used, case.sources)
        yield from worded(evidence, edits, caveat=_OTHER if fact.another_model else _ANEW)
    elif isinstance(fact, NotAsked):
        yield from worded(evidence, training.listed_again(evidence.primary, fact.asked, case.sources), caveat=_AGAIN)
    else:
        yield from worded(evidence, hoisting.made_once(evidence.primary, case.sources), caveat=_WRONG)
