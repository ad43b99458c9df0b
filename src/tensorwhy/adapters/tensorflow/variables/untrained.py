"""The fact about variables that one call site does not train: who they are, where they were made, how often it ran."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.model.facts.training import NotTrained


def describe(session: Any, problem: Any, handles: Iterable[int], ask: Ask, **fields: Any) -> NotTrained:
    """The fact about some variables at one call site."""
    tapes, journal = session.tapes, session.journal
    lineage = session.lineage()
    variables = []
    for handle in handles:
        layer, variable = tapes.layers.by_handle.get(handle), tapes.variables[handle]
        created = layer.made if layer is not None else None
        if created is None:  # what was made while the recording rested has no row
            created = next((journal.location(event.place) for event in lineage.makers(handle)), variable.created)
        variables.append(msgspec.structs.replace(variable, created=created))
    steps = tapes.updates.calls.get(ask.owner, 0) if ask.owner else tapes.updates.counts[ask.place]
    return NotTrained(
        problem=problem, variables=tuple(variables), asked=journal.location(ask.place), steps=steps, **fields
    )
