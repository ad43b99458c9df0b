"""Writes the name that there is where the callback is made."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes
from tensorwhy.fixes import literals
from tensorwhy.model.facts.data import MissingName
from tensorwhy.model.report import Fix
from tensorwhy.reasons.tw802_missing_result_name.rule import near


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`monitor="val_acc"` as `monitor="val_accuracy"`."""
    fact = case.fact
    if not isinstance(fact, MissingName):
        return
    for fix in evidence.fixes:
        other = near(fact)
        edits = literals.renamed(fact.name, other, fact.made, case.sources) if f"`{other}`" in fix.summary else ()
        yield Fix(summary=fix.summary, caveat=fix.caveat, edits=edits)
