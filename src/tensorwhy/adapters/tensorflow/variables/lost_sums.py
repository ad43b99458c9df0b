"""Finds gradients that are added up, while the optimizer is given something else.

`for total, gradient in zip(totals, gradients): total = total + gradient` leaves the list as it was; variables that keep
the sums may be emptied too early.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from tensorwhy.adapters.tensorflow.variables.lost_updates import rebinds
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources


def place(session: Any, handles: Iterable[int], gradients: Iterable[int], since: int) -> Location | None:
    """The statement that lost them; None where what these variables were given comes from the gradients, or may."""
    lineage, wanted, slopes = session.lineage(), set(handles), set(gradients) - {-1}
    given = [
        (key, call.event) for call in session.tapes.applied.calls for key, handle in call.pairs if handle in wanted
    ]
    given = [(key, event) for key, event in given if key < 0 or lineage.makers(key)]  # of the steps that were recorded
    if not given or any(key < 0 for key, _ in given):
        return None
    if any(slopes & lineage.ancestors((key,), event) for key, event in given):
        return None
    journal, sources = session.journal, Sources()
    used = {value for row in journal.events(since, journal.position) if row.kind <= j.EXIT for value in row.inputs}
    for row in journal.events(since, journal.position):
        if row.kind > j.GRAPH_OP or slopes.isdisjoint(row.inputs):
            continue
        slopes.update(row.outputs)  # a gradient that was scaled first
        if len(row.inputs) > 1:
            location: Location | None = journal.location(row.place)
            if location is not None and used.isdisjoint(row.outputs) and rebinds(sources, location):
                return location
    return None


def stored(session: Any, gradients: Iterable[int], since: int) -> Location | None:
    """Where gradients, perhaps scaled, are stored in variables of the program; None where they are not."""
    journal, slopes = session.journal, set(gradients) - {-1}
    lineage = session.lineage()
    assigning = lineage.rules.assigning
    for row in journal.events(since, journal.position):
        if row.kind > j.GRAPH_OP or slopes.isdisjoint(row.inputs):
            continue
        position = assigning.get(lineage.op_name(row))
        if position is not None and not slopes.isdisjoint(row.inputs[position:]):
            location: Location | None = journal.location(row.place)
            return location
        slopes.update(row.outputs)
    return None
