"""Gradients that are applied to their own variables, and once more to others, whose own gradients nothing uses."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.recording import journal as j

_SCALING = frozenset({"Identity", "Cast", "Mul", "RealDiv", "Minimum", "Maximum"})
"""What clips and scales are made of: their first input is what is scaled."""
_STEPS = 16


class Crossed(NamedTuple):
    """The variables of `ask` were given the gradient of another one, `instead`, at `place`."""

    ask: Ask
    handles: list[int]
    instead: int
    place: int


def across(session: Any) -> Iterator[Crossed]:
    """One for each call of an optimizer that was given the gradients of another question."""
    calls = session.tapes.applied.calls
    asks: list[Ask] = session.tapes.updates.asks
    owners = {key: handle for ask in asks for handle, key in zip(ask.handles, ask.gradients) if key >= 0}
    own = {key for call in calls for key, handle in call.pairs if owners.get(key) == handle}
    told: set[int] = set()
    for call in calls:
        foreign = {handle: owners[key] for key, handle in call.pairs if key in own and owners[key] != handle}
        ask = next((ask for ask in reversed(asks) if foreign and _asked_for(ask, foreign, call.event)), None)
        if ask is None or call.place in told or not foreign.keys().isdisjoint(foreign.values()):
            continue
        answers = {key for handle, key in zip(ask.handles, ask.gradients) if handle in foreign}
        if answers.isdisjoint(_used(session, ask)):
            told.add(call.place)
            yield Crossed(ask, list(foreign), next(iter(foreign.values())), call.place)


def _asked_for(ask: Ask, foreign: dict[int, int], before: int) -> bool:
    """True if this question, asked before the call, was about all these variables, and about no owner of a gradient."""
    given = {handle for handle, key in zip(ask.handles, ask.gradients) if key >= 0}
    return ask.event < before and foreign.keys() <= given and given.isdisjoint(foreign.values())


def _used(session: Any, ask: Ask) -> set[int]:
    """Everything that an operation, an optimizer or the program read since the question was asked."""
    applied = {key for call in session.tapes.applied.calls for key, _ in call.pairs}
    rows = session.journal.events(ask.event, session.journal.position)
    return applied.union(*(row.inputs for row in rows if row.kind <= j.EXIT))


def unscaled(session: Any, key: int, gradients: Container[int]) -> int:
    """Which of `gradients` a tensor is, but for clips and factors; the tensor itself where it is none of them."""
    lineage, tensor = session.lineage(), key
    for _ in range(_STEPS):
        if tensor in gradients:
            return tensor
        makers = [event for event in lineage.makers(tensor) if event.kind <= j.GRAPH_OP] if tensor >= 0 else []
        if len(makers) != 1 or lineage.op_name(makers[0]) not in _SCALING:
            break
        tensor = makers[0].inputs[0]
    return key
