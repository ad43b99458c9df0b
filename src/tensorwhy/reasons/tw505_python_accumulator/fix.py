"""Collects in a TensorArray."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import PythonAccumulator

_WRONG = (
    "`dtype` is the dtype of your elements; if their first axes differ, pass "
    "`infer_shape=False` and call `concat` instead of `stack`"
)


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`append` as `write`, and `tf.stack(list)` as `array.stack()`."""
    fact = case.fact
    if isinstance(fact, PythonAccumulator):
        yield from worded(evidence, loops.collected(fact, case.sources), caveat=_WRONG)
