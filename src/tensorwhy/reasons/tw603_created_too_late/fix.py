"""Makes a layer in `__init__`, an optimizer anew, a list of variables where it is used."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import hoisting, optimizers, training
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.facts.variables import TooLate
from tensorwhy.model.report import Fix

_WRONG = "wrong where each call needs a layer of its own"
_ANEW = "wrong where momentum and step count should go on: then build it once with all variables"
_OTHER = "wrong where one optimizer should count the steps of both: then build it once with the variables of both"
_AGAIN = "wrong where the list was meant to leave out what is made later"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """Where the thing that comes too late, or what should know it, can be made at another place."""
    fact = case.fact
    if isinstance(fact, TooLate) and fact.finished == "optimizer":
        make = optimizers.second if fact.another_model else optimizers.renewed
        edits = make(fact.finished_at, fact.used, case.sources)
        yield from worded(evidence, edits, caveat=_OTHER if fact.another_model else _ANEW)
    elif isinstance(fact, NotTrained):
        yield from worded(evidence, training.listed_again(evidence.primary, fact.asked, case.sources), caveat=_AGAIN)
    else:
        yield from worded(evidence, hoisting.made_once(evidence.primary, case.sources), caveat=_WRONG)
