"""The edges of a lineage and the steps of a path, with what keeps a gradient from passing each."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal, NamedTuple

from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.lineage.timeline import Region
from tensorwhy.recording.journal import Event

Loss = Literal[
    "", "stop-gradient", "no-gradient", "unregistered", "index-input", "callback", "custom-gradient", "state", "left"
]


class Edge:
    """One way from an input to an output. `loss` says why the gradient does not pass; empty when it does.

    `inside` are the steps through the body of a function that was called, where the gradient is lost in there.
    """

    __slots__ = ("container", "event", "inside", "loss", "op", "role", "source")

    def __init__(
        self,
        event: Event,
        op: str,
        source: int,
        loss: Loss = "",
        role: str = "data",
        container: str = "",
        inside: tuple[Step, ...] = (),
    ) -> None:
        self.inside = inside
        self.event = event
        self.op = op
        self.source = source
        self.loss = loss
        self.role = role
        self.container = container


class Lost(NamedTuple):
    """What keeps a gradient from passing one edge: the reason, and for what was not recorded, why not.

    `since` tells one pause of the recorder from another: the row at which it began.
    """

    kind: str
    region: Region = ""
    since: int = -1


class Step(NamedTuple):
    """One edge of a path, from `source` to `made`, with everything that is lost on it; empty where it passes."""

    source: int
    made: int
    edge: Edge
    lost: tuple[Lost, ...]

    @property
    def position(self) -> int:
        """By which input of the operation it leads; -1 for state that it reads, and other ways beside the inputs."""
        values = enumerate(self.edge.event.inputs)
        return next((at for at, value in values if tensor_of(value) == self.source), -1)


Repair = tuple[int, str]
"""What a repair mends: one kind of loss at one row, or all that one pause left out (by its first row)."""


def losses(edge: Edge, lost: tuple[Lost, ...]) -> list[tuple[Lost, Repair]]:
    """Each loss on an edge with what would mend it; those inside of a called function are mended there."""
    inside = [(item, (step.edge.event.index, item.kind)) for step in edge.inside for item in step.lost]
    own = [
        (item, (item.since, item.region) if item.kind == "not-recorded" else (edge.event.index, item.kind))
        for item in lost[len(inside) :]
    ]
    return inside + own


def unfolded(step: Step) -> Iterator[Step]:
    """A step; in place of a call the steps inside of the function, and of the functions that it calls."""
    if not step.edge.inside:
        yield step
    for inner in step.edge.inside:
        yield from unfolded(inner)
