"""Takes a sigmoid where a softmax runs over one element."""

from __future__ import annotations

from collections.abc import Iterable

from tensorwhy.diagnosis.reason import Case, Evidence, worded
from tensorwhy.fixes import activations
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.model.report import Fix

_WRONG = "unless there are more than two classes or label columns; then give the layer one unit per class"


def propose(case: Case, evidence: Evidence) -> Iterable[Fix]:
    """`softmax` as `sigmoid`, where the layer is made or the function is called."""
    fact = case.fact
    if isinstance(fact, SignalBreak) and fact.operation.name == "Softmax" and fact.why == "one-element":
        yield from worded(evidence, activations.sigmoid(evidence.primary, case.sources), caveat=_WRONG)
