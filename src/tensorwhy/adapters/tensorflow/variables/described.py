"""Variables as they are known at the end of a run, with the line that made them, or their layer."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.question import Variable


def variable(session: Any, handle: int) -> Variable:
    """A variable as it is known at the end, with the line that made it, or its layer."""
    tapes, lineage = session.tapes, session.lineage()
    layer = tapes.layers.by_handle.get(handle)
    known: Variable = tapes.variables[handle]
    created = layer.made if layer is not None else None
    if created is None:  # what was made while the recording rested has no row
        made = (session.journal.location(event.place) for event in lineage.makers(handle))
        created = next(made, known.created)
    return msgspec.structs.replace(known, created=created)


def with_layer(session: Any, fact: GradientBreak) -> GradientBreak:
    """The same, with the line that created the layer of the source: a call builds the weights of many."""
    layer = session.tapes.layers.by_handle.get(fact.sources[0].tensor)
    if layer is None or layer.made is None:
        return fact
    first, *others = fact.sources
    return msgspec.structs.replace(fact, sources=(msgspec.structs.replace(first, layer_made=layer.made), *others))


def variables(session: Any, handles: Iterable[int]) -> tuple[Variable, ...]:
    """These variables as they are known at the end."""
    return tuple(variable(session, handle) for handle in handles)
