"""Declares the shapes that a loop variable takes."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import loops
from tensorwhy.model.facts.loops import LoopShapeChange
from tensorwhy.reasons.tw503_loop_shape_invariant.rule import same_elements

_WRONG = "unless the shape should stay the same"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`set_loop_options(shape_invariants=...)` in the loop, or the keyword of `tf.while_loop`."""
    fact = case.fact
    if isinstance(fact, LoopShapeChange):
        shape = same_elements(fact)
        first = [loops.reshaped(fact, shape, case.sources)] if shape and evidence.fixes else []
        yield from worded(evidence, *first, loops.declared(fact, case.sources), caveat=_WRONG)
