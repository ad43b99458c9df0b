"""Finds updates that the program tries out: it reads the changed variable, and then stores the former value again.

A line search, a comparison of learning rates and a projection back into bounds all do that. An update that is stored
over unread is lost.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.lineage.kernel_reads import inputs_of
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j

_STORES = ("Assign", "ResourceApply")
"""What the names of the operations begin with that store into their first input."""


def place(session: Any, handles: Iterable[int]) -> Location | None:
    """Where the last value of such a step was stored, in the first step that was recorded of each call that updates.

    None when not one of these variables was read between its update and a later store.
    """
    journal, wanted = session.journal, set(handles)
    asked = sorted(ask.event for ask in session.tapes.updates.asks)
    for call in session.tapes.applied.calls:
        own = {handle for _, handle in call.pairs} & wanted
        end = next((event for event in asked if event > call.event), journal.position)
        for handle in own:
            found = _after_reading(journal.events(call.event, end), handle, journal.names)
            location: Location | None = journal.location(found) if found is not None else None
            if location is not None:
                return location
    return None


def over(session: Any, handles: Iterable[int]) -> Location | None:
    """Where one of these variables was stored once more, between its update and the next question, and not read first.

    What stands in the line of the update itself, the optimizer does: a constraint, a slot.
    """
    journal, wanted = session.journal, set(handles)
    asked = sorted(ask.event for ask in session.tapes.updates.asks)
    for call in session.tapes.applied.calls:
        own = {handle for _, handle in call.pairs} & wanted
        end = next((event for event in asked if event > call.event), journal.position)
        at: Location = journal.location(call.place)
        found: Location | None = None
        for event in journal.events(call.event, end):
            if (
                event.kind <= j.GRAPH_OP
                and journal.names[event.name].startswith(_STORES)
                and inputs_of(event)[0] in own
            ):
                found = journal.location(event.place)
        if found is not None and found != at:
            return found
    return None


def over_in_graph(session: Any, handles: Iterable[int]) -> Location | None:
    """Where a traced step stores something else in all of these variables, after their update and without reading it.

    The graph has one tensor for each variable that it captured: what goes by another one belongs to another graph.
    """
    journal, wanted, found = session.journal, set(handles), None
    for call in session.tapes.applied.calls:
        at, left = journal.location(call.place), {handle for _, handle in call.pairs} & wanted
        captured: dict[int, int] = {}
        updated: dict[int, int] = {}
        for event in journal.events(0, journal.position):
            name = journal.names[event.name]
            if name == "captured_value" and event.outputs:
                captured[event.outputs[0]] = event.inputs[0]
            if event.kind != j.GRAPH_OP or event.index < call.event or not event.inputs:
                continue
            handle = captured.get(event.inputs[0], -1)
            if handle in left and name.startswith(_STORES) and journal.location(event.place) == at:
                updated.setdefault(handle, event.inputs[0])
            elif updated.get(handle) == event.inputs[0] and name == "AssignVariableOp":
                left.discard(handle)
                found = journal.location(event.place)
            elif updated.get(handle) == event.inputs[0]:
                updated[handle] = -1  # it is looked at, or changed once more
        if not left and found is not None:
            return found  # type: ignore[no-any-return]
    return None


def _after_reading(events: Iterator[j.Event], handle: int, names: list[str]) -> int | None:
    """The place of a store that follows a read of the stored value."""
    stored = read = False
    for event in events:
        if event.kind > j.GRAPH_OP or handle not in inputs_of(event):
            continue
        if names[event.name].startswith(_STORES) and inputs_of(event)[0] == handle:
            if read:
                return event.place
            stored = True
        else:
            read = stored
    return None
