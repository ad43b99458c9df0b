"""Whether the gradient of a gradient is zero by what its operations are, whatever their values."""

from __future__ import annotations

from tensorwhy.lineage.flow import Arm, walk
from tensorwhy.lineage.graph import Lineage
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event


def straight(lineage: Lineage, targets: tuple[int, ...], source: int, before: int) -> list[tuple[Event, Event]]:
    """The operations of straight pieces that every way from a source to a gradient passes, each with its gradient's.

    Empty when a way is left, when there is none, or when something else than such a gradient closes one.
    """

    def shut(arm: Arm) -> bool:
        event = arm.event
        return event.kind != j.RECORDED and lineage.facts(event).carries(arm.position) == "zero"

    flow = walk(lineage, targets, before, shut)
    if source in flow.alive:
        return []
    found: dict[int, tuple[Event, Event]] = {}
    for arm in flow.closed:
        if source in walk(lineage, (arm.source,), before, outer=flow.outer).alive:
            forward = _forward(lineage, arm)
            if forward is None or lineage.timeline.gradient_call(arm.event.index, arm.event.thread) is None:
                return []
            found.setdefault(forward.index, (forward, arm.event))
    return [found[at] for at in sorted(found)]


def _forward(lineage: Lineage, arm: Arm) -> Event | None:
    """The operation that `ReluGrad` is the gradient of: it made the input that is closed, or was given it."""
    wanted, gradient, _ = arm.name.partition("Grad")
    if not gradient:
        return None
    for maker in lineage.makers(arm.source):
        if lineage.op_name(maker) == wanted:
            return maker
    rows = lineage.journal.events(0, arm.event.index)
    used = (row for row in rows if row.kind <= j.GRAPH_OP and arm.source in row.inputs)
    return next((row for row in used if lineage.op_name(row) == wanted), None)
