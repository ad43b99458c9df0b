"""The fact about variables that one call site does not train: who they are, where they were made, how often it ran."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.facts.training import NotTrained
from tensorwhy.model.question import Variable


def variables(session: Any, handles: Iterable[int]) -> tuple[Variable, ...]:
    """The variables as they are known at the end, with the line that made them, or their layer."""
    tapes, lineage = session.tapes, session.lineage()
    found = []
    for handle in handles:
        layer, variable = tapes.layers.by_handle.get(handle), tapes.variables[handle]
        created = layer.made if layer is not None else None
        if created is None:  # what was made while the recording rested has no row
            made = (session.journal.location(event.place) for event in lineage.makers(handle))
            created = next(made, variable.created)
        found.append(msgspec.structs.replace(variable, created=created))
    return tuple(found)


def describe(session: Any, problem: Any, handles: Iterable[int], ask: Ask, **fields: Any) -> NotTrained:
    """The fact about some variables at one call site."""
    updates = session.tapes.updates
    steps = updates.calls.get(ask.owner, 0) if ask.owner else updates.counts[ask.place]
    asked = session.journal.location(ask.place)
    return NotTrained(problem=problem, variables=variables(session, handles), asked=asked, steps=steps, **fields)
