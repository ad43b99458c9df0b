"""Calls the Keras operation that means the same."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import keras_ops
from tensorwhy.model.facts.symbolic import RawOp


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`tf.reduce_sum(x)` as `keras.ops.sum(x)`, and so for what is made of it in the same scope."""
    fact = case.fact
    if isinstance(fact, RawOp):
        yield from worded(
            evidence,
            keras_ops.operations(fact, case.sources) if fact.equivalents else (),
            caveat="its other arguments may have other names",
        )
