"""Takes a sigmoid where a softmax runs over one element."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import activations, syntax
from tensorwhy.model.facts.signal import SignalBreak
from tensorwhy.reasons.tw206_zero_cancelled.rule import own_sample
from tensorwhy.source.concrete import nodes as cst

_WRONG = "unless there are more than two classes or label columns; then give the layer one unit per class"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`softmax` as `sigmoid`, where the layer is made or the function is called."""
    fact = case.fact
    if isinstance(fact, SignalBreak) and fact.operation.name == "Softmax" and fact.why == "one-element":
        yield from worded(evidence, activations.sigmoid(evidence.primary, case.sources), caveat=_WRONG)
    sample = own_sample(case, fact) if isinstance(fact, SignalBreak) else None
    if sample is not None and isinstance(fact, SignalBreak) and fact.location is not None:
        tree = syntax.tree(fact.location.file, case.sources)
        place = case.sources.place(fact.location.file, sample[0])
        names = tree.at(place, cst.Name, cst.Attribute) if tree is not None else []
        yield from worded(evidence, (tree.replaced(names[0], sample[1]),) if tree is not None and names else ())
