"""What an experiment has to open to let a gradient through again: the very thing that is blamed for it."""

from __future__ import annotations

from tensorwhy.lineage.flow import Arm
from tensorwhy.lineage.steps import Step
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.gradient import BreakKind
from tensorwhy.model.facts.zero import GateKind
from tensorwhy.model.optable import OpKinds
from tensorwhy.recording.journal import Event

_FIRST = -1


def of_break(kind: BreakKind, step: Step) -> Gate | None:
    """What would let the gradient pass, of an operation that has none or another one."""
    inputs = step.edge.event.inputs
    if kind == "custom-gradient" and step.edge.role not in ("closure", "recomputed"):
        return Gate(way="own", made=step.made)
    if kind in ("no-gradient", "unregistered", "callback") and step.source in inputs:
        return Gate(way="past", made=step.made, position=inputs.index(step.source))
    return None


def to_open(
    kind: GateKind,
    event: Event | None,
    variable: int,
    arm: Arm | None,
    kinds: OpKinds,
    ways: int,
    summed: str,
    twice: bool = False,
) -> Gate | None:
    """The gate of one cause of zeros; `arm` is the input at which its zeros were met, None where no value was seen.

    None where no operation of the step can be opened: a branch or a loop that did not run, and what is in a loop.
    """
    if kind == "initial":
        return Gate(way="variable", made=variable)
    if event is None or not event.outputs or kind in ("untaken", "skipped", "unused-output"):
        return None
    if arm is not None and arm.name in kinds.loops:
        return None
    made = event.outputs[0]
    if arm is None:
        return Gate(way="through", made=made, position=_FIRST)
    if kind == "masked":
        return _unmasked(arm, kinds)
    if kind == "cancelled" and summed:
        return Gate(way="through", made=arm.event.outputs[0], position=arm.position)
    if kind == "cancelled" and ways >= 0:
        return Gate(way="numbers", made=made, position=event.inputs.index(ways)) if ways in event.inputs else None
    if kind == "cancelled" and len(event.inputs) == 2 and (twice or event.inputs[0] == event.inputs[1]):
        return Gate(way="numbers", made=made, position=1)
    return Gate(way="through", made=made, position=arm.position if arm.event is event else _FIRST)


def _unmasked(arm: Arm, kinds: OpKinds) -> Gate:
    made = arm.event.outputs[0]
    if arm.name in kinds.selecting:
        return Gate(way="through", made=made, position=arm.position)
    return Gate(way="ones", made=made, position=1 - arm.position)
