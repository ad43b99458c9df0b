"""Brings a variable or a layer out of the function of a Lambda layer."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import lambdas
from tensorwhy.model.facts.variables import Untracked
from tensorwhy.model.report import Fix

_WRONG = "a value that is meant to stay fixed is better a constant, or a variable with trainable=False"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """A layer of its own that has the variable as a weight; a layer called in front of the Lambda, not inside."""
    fact = case.fact
    if isinstance(fact, Untracked):
        edit = lambdas.called_outside if fact.what == "layer" else lambdas.own_layer
        yield from worded(evidence, edit(fact.made, case.sources), caveat=_WRONG)
