"""One step back from a tensor: over which edges, and what is lost on each, as one recorder saw it.

Questions about one recorder go over the same ground, so that what was found out about a tensor is kept for the next
one.
"""

from __future__ import annotations

import threading
from collections.abc import Sized
from typing import Generic, TypeVar

from tensorwhy.lineage.rows import Rows
from tensorwhy.lineage.steps import Edge, Lost, Repair, Step, losses
from tensorwhy.lineage.timeline import Region
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

Found = TypeVar("Found", bound=Sized)


State = int | tuple[int, tuple[Lost, ...]]
"""A tensor; with the losses that an edge into it may share with the edge out of it, where there are any."""

Price = tuple[int, Repair]
"""What a repair costs."""

Way = tuple[State, tuple[Price, ...], Step]
"""One edge backwards: where it leads, what has to be repaired on it for a gradient to pass, and the edge itself."""

BREAK = 1 << 20
_MEANT = ("stop-gradient", "stopped-here")
"""Fewer breaks come first. What was written down on purpose costs a little more: it is not chosen among equals."""
_INDEX = Lost("index-input")
_STOPPED = Lost("stop-gradient")


class Backward(Generic[Found]):
    """Steps back over the rows of one lineage as one recorder saw them.

    Without a recorder (`recorder` 0) everything counts as recorded. `stops` are tensors behind which the question
    itself ends the gradient. `searches` are those that went this way, by their targets and what they took for repaired.
    """

    def __init__(self, lineage: Rows, recorder: int, stops: tuple[int, ...]) -> None:
        self.lineage = lineage
        self.searches: dict[tuple[tuple[int, ...], frozenset[Repair]], Found] = {}
        self.lock = threading.RLock()
        self._recorder = recorder
        self._forward = recorder in lineage.timeline.recorders and lineage.timeline.recorders[recorder].forward
        self._stops = frozenset(stops)
        self._known: dict[State, tuple[int, tuple[Way, ...]]] = {}
        self._looked_at: tuple[Event, Region] | None = None

    def __len__(self) -> int:
        return len(self._known) + sum(map(len, self.searches.values()))

    def ways(self, state: State, before: int) -> tuple[int, tuple[Way, ...]]:
        """What leads to a state, from rows before `before`, and the last row that has to do with it.

        The same holds for any other `before` behind that row.
        """
        known = self._known.get(state)
        if known is not None and known[0] < before:
            return known
        tensor, carried = (state, ()) if isinstance(state, int) else state
        made = self.lineage.made.get(tensor, -1)
        known = made if isinstance(made, int) else max(made), self._find(tensor, carried, before)
        if known[0] < before:
            self._known[state] = known
        return known

    def _find(self, made: int, carried: tuple[Lost, ...], before: int) -> tuple[Way, ...]:
        lineage = self.lineage
        found: list[Way] = []
        known = self.lineage.tangents.called
        plain = not carried and not self._forward and made not in known
        plain = plain and lineage.is_differentiable(made) and made not in self._stops
        for edge in lineage.edges(made, before):
            source = edge.source
            if source < 0:
                continue
            if plain and not edge.loss and not edge.inside and not self._region(edge.event):
                found.append((source, (), Step(source, made, edge, ())))  # nearly all edges, by the short way
                continue
            lost = self.lost_on(edge, made, carried)
            prices = tuple(
                (BREAK + (item.kind in _MEANT), repair) for item, repair in losses(edge, lost) if item not in carried
            )
            shared = self._shared(edge, lost, carried)
            found.append(((source, shared) if shared else source, prices, Step(source, made, edge, lost)))
        return tuple(found)

    def _shared(self, edge: Edge, lost: tuple[Lost, ...], carried: tuple[Lost, ...]) -> tuple[Lost, ...]:
        """What the next edge may lose at no further price."""
        if not lost and not carried:
            return ()
        shared = [item for item in lost if item.kind == "not-recorded"]
        number = not self.lineage.is_differentiable(edge.source) or self._is_whole(edge)
        if number and _INDEX in (*lost, *carried):
            shared.append(_INDEX)
        if _STOPPED in lost and self._is_read(edge.source):
            shared.append(_STOPPED)
        return tuple(shared)

    def _is_unrecorded(self, tensor: int) -> bool:
        return all(event.kind != j.RECORDED for event in self.lineage.makers(tensor))

    def _is_read(self, tensor: int) -> bool:
        lineage = self.lineage
        return any(lineage.op_name(event) in lineage.rules.reading for event in lineage.makers(tensor))

    def _is_whole(self, edge: Edge) -> bool:
        """True if a conversion only undoes another one, from integers to floats: a library's care, and no loss."""
        return edge.op in self.lineage.rules.converting and any(
            event.index < edge.event.index
            and self.lineage.op_name(event) in self.lineage.rules.converting
            and not self.lineage.is_differentiable(event.inputs[0])
            for event in self.lineage.makers(edge.source)
        )

    def _region(self, event: Event) -> Region:
        """Why the recorder did not record a row; the edges of one operation are looked at one after the other."""
        if not self._recorder:
            return ""
        if self._looked_at is None or self._looked_at[0] is not event:
            self._looked_at = event, self.lineage.timeline.region(self._recorder, event)
        return self._looked_at[1]

    def lost_on(self, edge: Edge, made: int, carried: tuple[Lost, ...]) -> tuple[Lost, ...]:
        """Everything that would have to be repaired for a gradient to pass this edge."""
        lineage = self.lineage
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
        if self._forward and not lost and lineage.tangents.lost(self._recorder, edge.event.index, made):
            lost.append(Lost("no-tangent"))
        if made in lineage.tangents.called and edge.event.kind != j.RECORDED and self._is_unrecorded(made):
            lost.append(Lost("called-tangent"))
        if edge.loss not in ("state", "left"):
            region = self._region(edge.event)
            # TensorFlow itself pauses recording around operations that it then records, or stops, by another way;
            # what `stop_gradient` is given may be a variable that is read only then.
            since = lineage.timeline.pause(self._recorder, edge.event.index) if region in ("paused", "between") else -1
            own_pause = region == "paused" and since < 0 and (lost or _STOPPED in carried)
            if region and not own_pause:
                lost.append(Lost("not-recorded", region, since))
        return tuple(lost)
