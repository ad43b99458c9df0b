"""The way from a source to a target that needs the fewest repairs.

To get a gradient back, one path has to be whole. So the smallest set of breaks whose repair reconnects a source is the
cheapest path, where an edge costs one for each new break on it: neighbouring operations that are lost for one and the
same reason (all of them ran before the tape was opened, say) are one break, because one repair mends them together.
"""

from __future__ import annotations

import heapq
from typing import NamedTuple

from tensorwhy.lineage.graph import Edge, Lineage
from tensorwhy.lineage.timeline import Region
from tensorwhy.recording.journal import Event


class Lost(NamedTuple):
    """What keeps a gradient from passing one edge: the reason, and for what was not recorded, why not.

    `since` tells one pause of the tape from another: the row at which it began.
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


Repair = tuple[int, str]
"""What a repair mends: one kind of loss at one row, or all that one state of the tape left out (by its first row)."""


def repairs(steps: list[Step]) -> frozenset[Repair]:
    """Everything that has to be repaired for a gradient to pass this way."""
    return frozenset(repair for step in steps for _, repair in _losses(step.edge, step.lost))


def _losses(edge: Edge, lost: tuple[Lost, ...]) -> list[tuple[Lost, Repair]]:
    """Each loss on an edge with what would mend it; those inside of a called function are mended there."""
    inside = [(item, (step.edge.event.index, item.kind)) for step in edge.inside for item in step.lost]
    own = [
        (item, (item.since, item.region) if item.kind == "outside-tape" else (edge.event.index, item.kind))
        for item in lost[len(inside) :]
    ]
    return inside + own


class _State(NamedTuple):
    """A tensor, and the losses that an edge into it may share with the edge out of it."""

    tensor: int
    carried: tuple[Lost, ...]


class Search:
    """Searches backwards from the targets of one question, as one tape saw the rows before `before`.

    Without a tape (`tape` 0) the question is about a graph, in which everything counts as recorded. What is `repaired`
    costs nothing. `stops` are tensors behind which the question itself ends the gradient.
    """

    def __init__(
        self,
        lineage: Lineage,
        tape: int,
        targets: tuple[int, ...],
        before: int,
        repaired: frozenset[Repair] = frozenset(),
        stops: tuple[int, ...] = (),
    ) -> None:
        self._stops = frozenset(stops)
        self._lineage = lineage
        self._tape = tape
        self._before = before
        self._repaired = repaired
        self._looked_at: tuple[Event, Region] | None = None
        self._best: dict[_State, tuple[int, int]] = {}
        self._towards_target: dict[_State, tuple[_State, Step]] = {}
        self._reached: dict[int, _State] = {}
        self._heap: list[tuple[int, int, int, _State]] = []
        for target in targets:
            self._push(_State(target, ()), 0, 0)

    def _push(self, state: _State, cost: int, length: int) -> bool:
        known = self._best.get(state)
        if known is not None and known <= (cost, length):
            return False
        self._best[state] = (cost, length)
        heapq.heappush(self._heap, (cost, length, len(self._best), state))
        return True

    def path(self, source: int) -> list[Step] | None:
        """The cheapest path from a source, in the order of execution; None when its value never got to a target.

        Asking for another source continues the same search.
        """
        while source not in self._reached and self._heap:
            self._expand()
        state = self._reached.get(source)
        if state is None:
            return None
        steps = []
        while state in self._towards_target:
            state, step = self._towards_target[state]
            steps.append(step)
        return steps

    def _expand(self) -> None:
        cost, length, _, state = heapq.heappop(self._heap)
        if self._best[state] < (cost, length):
            return
        self._reached.setdefault(state.tensor, state)
        for edge in self._lineage.edges(state.tensor, self._before):
            if edge.source >= 0:
                lost = self.lost_on(edge, state.tensor, state.carried)
                further = _State(edge.source, self._shared(edge, lost, state))
                price = 0
                if lost:
                    price = sum(
                        _BREAK + (item.kind in _MEANT)
                        for item, repair in _losses(edge, lost)
                        if item not in state.carried and repair not in self._repaired
                    )
                if self._push(further, cost + price, length + 1):
                    self._towards_target[further] = (state, Step(edge.source, state.tensor, edge, lost))

    def _shared(self, edge: Edge, lost: tuple[Lost, ...], state: _State) -> tuple[Lost, ...]:
        """What the next edge may lose at no further price."""
        if not lost and not state.carried:
            return ()
        shared = [item for item in lost if item.kind == "outside-tape"]
        number = not self._lineage.is_differentiable(edge.source) or self._is_whole(edge)
        if number and _INDEX in (*lost, *state.carried):
            shared.append(_INDEX)
        if _STOPPED in lost and self._is_read(edge.source):
            shared.append(_STOPPED)
        return tuple(shared)

    def _is_read(self, tensor: int) -> bool:
        lineage = self._lineage
        return any(lineage.op_name(event) in lineage.rules.reading for event in lineage.makers(tensor))

    def _is_whole(self, edge: Edge) -> bool:
        """Whether a conversion only undoes another one, from integers to floats: a library's care, and no loss."""
        return edge.op in self._lineage.rules.converting and any(
            event.index < edge.event.index
            and self._lineage.op_name(event) in self._lineage.rules.converting
            and not self._lineage.is_differentiable(event.inputs[0])
            for event in self._lineage.makers(edge.source)
        )

    def _region(self, event: Event) -> Region:
        """Why the tape did not record a row; the edges of one operation are looked at one after the other."""
        if self._looked_at is None or self._looked_at[0] is not event:
            self._looked_at = event, self._lineage.timeline.region(self._tape, event)
        return self._looked_at[1]

    def lost_on(self, edge: Edge, made: int, carried: tuple[Lost, ...]) -> tuple[Lost, ...]:
        """Everything that would have to be repaired for a gradient to pass this edge."""
        lineage = self._lineage
        lost = [item for step in edge.inside for item in step.lost]
        if not lineage.is_differentiable(edge.source):
            # What goes in as an integer lost its gradient further back, where it became one. An index is lost here.
            if edge.loss == "index-input":
                lost.append(_INDEX)
            elif edge.loss in ("state", "left"):
                lost.append(Lost(edge.loss))
        else:
            number = not lineage.is_differentiable(made)
            converted = number and edge.op in lineage.rules.converting
            # What an operation can only give as an integer (argmax), and what then is an index, is lost there, once.
            if not (number and not converted and _INDEX in carried) and not (number and self._is_whole(edge)):
                if edge.loss and not converted:
                    lost.append(Lost(edge.loss))
                elif number:
                    lost.append(Lost("dtype"))
        if made in self._stops:
            lost.append(Lost("stopped-here"))
        if edge.loss not in ("state", "left"):
            region = self._region(edge.event) if self._tape else ""
            # TensorFlow itself pauses recording around operations that it then records, or stops, by another way;
            # what `stop_gradient` is given may be a variable that is read only then.
            since = lineage.timeline.pause(self._tape, edge.event.index) if region in ("paused", "between") else -1
            own_pause = region == "paused" and since < 0 and (lost or _STOPPED in carried)
            if region and not own_pause:
                lost.append(Lost("outside-tape", region, since))
        return tuple(lost)


_INDEX = Lost("index-input")
_STOPPED = Lost("stop-gradient")
_BREAK = 1 << 20
_MEANT = ("stop-gradient", "stopped-here")
"""Fewer breaks come first. What was written down on purpose costs a little more: it is not chosen among equals."""
