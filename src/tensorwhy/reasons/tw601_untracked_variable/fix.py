"""Brings a variable or a layer out of the function of a Lambda layer; makes a bare variable one of Keras."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import lambdas, layers
from tensorwhy.model.facts.variables import Untracked

_WRONG = "if the value should stay fixed, use a constant or a variable with `trainable=False`"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """A layer of its own that has the variable as a weight; a layer called in front of the Lambda, not inside.

    A `tf.Variable` that a layer of Keras 3 keeps becomes a `keras.Variable`.
    """
    fact = case.fact
    if isinstance(fact, Untracked):
        edit = lambdas.called_outside if fact.what == "layer" else lambdas.own_layer
        edits = edit(fact.made, case.sources)
        if not edits and fact.foreign and fact.held.by == "attribute":
            edits = layers.of_bare_variable(fact.made, case.sources)
        yield from worded(evidence, edits, caveat=_WRONG)
