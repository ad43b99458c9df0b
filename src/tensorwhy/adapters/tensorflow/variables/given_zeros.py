"""Finds where gradients that had values became the zeros that an optimizer was given.

A clip by a norm of 0, a mask, sums that are cleared before they are given: the update is then made, and moves nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.lineage.kernel_reads import tensor_of
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j


def places(session: Any, handles: Iterable[int]) -> tuple[Location, Location | None] | None:
    """Where an optimizer was given zeros for all of these variables, and where these were made or stored.

    None when it was given anything else for one of them in a call that was looked at.
    """
    journal, applied, wanted = session.journal, session.tapes.applied, set(handles)
    if not wanted or not wanted <= applied.zeros:
        return None
    for call in applied.calls:
        given = [key for key, handle in call.pairs if handle in wanted]
        at = journal.location(call.place) if given else None
        if at is not None:
            made = (_made(session, key, call.event) for key in given)
            return at, next((place for place in made if place is not None), None)
    return None


def _made(session: Any, tensor: int, before: int) -> Location | None:
    """The line that made a tensor; of one that was read from a variable, the line that stored there last."""
    lineage, journal = session.lineage(), session.journal
    handle = tensor if tensor in lineage.rules.variables else None
    for event in lineage.makers(tensor):
        if event.kind <= j.RECORDED and lineage.op_name(event) in lineage.rules.reading and event.inputs:
            handle, before = tensor_of(event.inputs[0]), min(before, event.index)
    if handle is not None:
        return last_store(session, handle, before)
    return next((journal.location(event.place) for event in lineage.makers(tensor)), None)


def last_store(session: Any, handle: int, before: int, again: bool = False) -> Location | None:
    """The line that stored last in a variable, before a row; `again`: not its first value."""
    lineage, journal = session.lineage(), session.journal
    stores = [
        event
        for event in journal.events(0, before)
        if event.kind <= j.GRAPH_OP
        and lineage.op_name(event) in lineage.rules.assigning
        and tensor_of(event.inputs[0]) == handle
    ]
    return journal.location(stores[-1].place) if len(stores) > again else None
