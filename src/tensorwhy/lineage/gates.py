"""What an experiment has to open to let a gradient through again: the very thing that is blamed for it."""

from __future__ import annotations

from tensorwhy.lineage.steps import Step
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.gradient import BreakKind


def of_break(kind: BreakKind, step: Step) -> Gate | None:
    """What would let the gradient pass, of an operation that has none or another one."""
    inputs = step.edge.event.inputs
    if kind == "custom-gradient" and step.edge.role not in ("closure", "recomputed"):
        return Gate(way="own", made=step.made)
    if kind in ("no-gradient", "unregistered", "callback") and step.source in inputs:
        return Gate(way="past", made=step.made, position=inputs.index(step.source))
    return None
