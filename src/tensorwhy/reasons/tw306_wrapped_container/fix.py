"""Calls the layer, or takes the tensor out of the list."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import symbolic
from tensorwhy.model.facts.symbolic import NotATensor


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`x = Layer(...)` as `x = Layer(...)(x)`; `x = lstm(y)` as `x, *_ = lstm(y)`; `[x]` as `x`."""
    fact = case.fact
    if isinstance(fact, NotATensor):
        yield from worded(evidence, symbolic.tensor_of(fact, case.sources), caveat=_wrong(fact))


def _wrong(fact: NotATensor) -> str:
    if fact.length == 1:
        return ""
    if fact.length is not None:
        return "unless you mean one of the other tensors; then pass that one"
    return "unless you meant to call it on another tensor; then name that one"
