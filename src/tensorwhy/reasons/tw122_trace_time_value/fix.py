"""Keeps the value in a variable, which a trace does not freeze."""

from __future__ import annotations

from tensorwhy.diagnosis.reason import Case, Evidence, Fixes, worded
from tensorwhy.fixes import frozen
from tensorwhy.model.facts.gradient import Unused
from tensorwhy.model.facts.graph import FrozenValue
from tensorwhy.model.facts.training import NotHanded

_WRONG = "unless the value decides a shape or a Python loop; then each value needs its own trace"


def propose(case: Case, evidence: Evidence) -> Fixes:
    """`self.rate = rate` as `self.rate = tf.Variable(rate, trainable=False)`, and later values by `assign`."""
    fact = case.fact.frozen if isinstance(case.fact, Unused) else case.fact
    if isinstance(fact, FrozenValue) and fact.kind in ("number", "test", "count"):
        edits = frozen.as_variable(fact.name, fact.read, case.sources)
        given = (edits if "tf.Variable(" in fix.summary else () for fix in evidence.fixes)
        yield from worded(evidence, *given, caveat=_WRONG)
    elif isinstance(fact, NotHanded) and fact.condition is not None:
        yield from worded(evidence, frozen.of_condition(fact.condition, case.sources))
