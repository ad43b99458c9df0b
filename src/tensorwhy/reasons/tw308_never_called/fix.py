"""Takes the symbolic tensors of a Sequential model's own layers; calls another model on an `Input`."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import symbolic
from tensorwhy.model.facts.symbolic import NeverCalled

_WRONG = "unless you meant the tensors of a later call on another Keras tensor; then use the result of that call"
_VALUES = "unless you only need values; then call the model on them and use what it returns"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`model.output` as `model.outputs[0]` where the model has these; else `model(keras.Input(...))` before it."""
    fact = case.fact
    if isinstance(fact, NeverCalled) and fact.graph:
        edits = symbolic.own_tensors(fact.attribute, fact.given.name, fact.used, case.sources)
        yield from worded(evidence, edits, caveat=_WRONG)
    elif isinstance(fact, NeverCalled) and fact.sort == "subclassed model" and fact.shape is not None:
        edits = symbolic.called_once(fact.given.name, fact.shape, fact.used, case.sources)
        yield from worded(evidence, edits, caveat=_VALUES)
