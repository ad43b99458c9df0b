"""What became of a source whose value never reached the target: where its lineage ended, or left the framework."""

from __future__ import annotations

from typing import NamedTuple

from tensorwhy.lineage.graph import Lineage
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event, Frame
from tensorwhy.source.dataflow import Dataflow


class Trail(NamedTuple):
    """The rows through which a source's value went, in order, and the tensors that hold something of it."""

    events: list[Event]
    tensors: set[int]


def follow(lineage: Lineage, source: int, start: int, end: int) -> Trail:
    """Everything computed from a source between two rows."""
    tensors = {source}
    events = []
    ahead = lineage.takers.ahead((source, j.variable(source)), start, end)
    for event in ahead:
        if event.kind == j.EXIT:
            if event.inputs[0] in tensors:
                events.append(event)
        elif event.kind <= j.RECORDED and any(
            value in tensors or j.variable_handle(value) == source for value in event.inputs
        ):
            name, first = lineage.op_name(event), event.inputs[0]
            if name in lineage.rules.assigning and source in (first, lineage.captured(first)):
                continue
            if name not in lineage.rules.shape_only:
                tensors.update(event.outputs)
                ahead.follow(event.outputs)
                if lineage.captured(*event.outputs[:1]) != source:  # the name that it has in a graph is no use of it
                    events.append(event)
    return Trail(events, tensors)


def entries(lineage: Lineage, targets: tuple[int, ...], before: int) -> list[Event]:
    """The rows by which arrays and computed numbers came into the target's lineage, in order.

    First those that took them as values, then those that took nothing but an index, an axis or a shape.
    """
    found: dict[int, Event] = {}
    for tensor in lineage.ancestors(targets, before):
        for event in lineage.makers(tensor):
            came = event.kind == j.ENTRY and lineage.journal.names[event.name] not in ("int", "bool", "str")
            if (
                came
                or (event.kind <= j.GRAPH_OP and (j.NUMPY in event.inputs or j.PYTHON in event.inputs))
                or (event.kind == j.GRAPH_OP and lineage.op_name(event) == lineage.rules.kinds.constant)
            ):
                found[event.index] = event
    return sorted(found.values(), key=lambda event: (not lineage.takes_value(event), event.index))


class WayOut(NamedTuple):
    """Where a value left the framework, and the row by which it came back."""

    exit: Location
    entry: Event


def left_and_came_back(lineage: Lineage, trail: Trail, came: list[Event], flow: Dataflow) -> WayOut | None:
    """The last row of the trail from which a value can have got, by names in the source, to a row where one came in.

    An operation of a graph has no value that could: what is called to run the graph is a row of its own. A tensor that
    no row took may have left at once: NumPy reads those by C's buffer protocol, and no hook sees it.
    """
    journal = lineage.journal
    untouched = trail.tensors - lineage.rules.variables.keys() if not trail.events else set()
    rows = trail.events or [event for tensor in untouched for event in lineage.makers(tensor)]
    kept = _kept(lineage, trail, came, flow)
    if kept is not None:
        return kept
    pairs: set[tuple[int, int]] = set()
    for event in reversed(rows):
        if any(maker.kind == j.GRAPH_OP for tensor in event.outputs for maker in lineage.makers(tensor)):
            continue
        leaves = event.kind == j.EXIT and journal.names[event.name].endswith(j.DIRECT)
        for entry in came:
            if entry.index <= event.index or (event.place, entry.place) in pairs:
                continue
            pairs.add((event.place, entry.place))
            chain = journal.chain(event.place)
            start, end = _same_scope(chain, journal.chain(entry.place))
            if start is not None and end is not None:
                own = start.location == chain[0].location
                exit = flow.way_out(start.location, end.location, leaves and own)
                if exit is not None and leaves and not own and _handed_up(chain, start, flow):
                    exit = chain[0].location  # seen to leave there: no need to look which line could have done it
                elif exit is None and not own and _handed_up(chain, start, flow):
                    out = chain[0].location if leaves else flow.exit_at(chain[0].location)
                    exit = out if flow.way_out(start.location, end.location, True) is not None else None
                if exit is None and own and event.kind == j.EXIT and event is rows[-1]:
                    # A library read it, and nothing went on as a tensor: its caller got what was read.
                    exit = flow.way_out(start.location, end.location, True)
                if exit is not None:
                    return WayOut(exit, entry)
    return None


def _kept(lineage: Lineage, trail: Trail, came: list[Event], flow: Dataflow) -> WayOut | None:
    """The last row that was seen to leave into an attribute, from which another method of the object took it back."""
    journal = lineage.journal
    for event in reversed(trail.events):
        if event.kind == j.EXIT and journal.names[event.name].endswith(j.DIRECT):
            exit = journal.location(event.place)
            for entry in came:
                back = journal.location(entry.place)
                if entry.index > event.index and exit and back and flow.is_kept(exit, back):
                    return WayOut(exit, entry)
    return None


def _handed_up(chain: tuple[Frame, ...], start: Frame, flow: Dataflow) -> bool:
    """Return whether what was made in the innermost frame can be what each call returned, up to the frame `start`."""
    return all(flow.is_returned(frame.location) for frame in chain[: chain.index(start)])


def _same_scope(first: tuple[Frame, ...], second: tuple[Frame, ...]) -> tuple[Frame | None, Frame | None]:
    """The frames of two call stacks in the innermost call that both share."""
    pair: tuple[Frame | None, Frame | None] = (None, None)
    for mine, theirs in zip(reversed(first), reversed(second)):
        pair = (mine, theirs)
        if mine.location != theirs.location:
            break
    return pair
