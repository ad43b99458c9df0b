"""What an optimizer was given in the place of pairs of a gradient and its variable, where it refuses that."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.model.casegroup import CaseGroup
from tensorwhy.model.facts.training import Mispaired
from tensorwhy.model.report import Symptom

_REFUSED = "the optimizer refused its gradients"


def groups(session: Any) -> Iterator[CaseGroup]:
    """One group for each way of it that was met."""
    applied = session.tapes.applied
    ways = ((applied.swapped, _swapped), (applied.unpaired, _unpaired), (applied.misfits, _misfit))
    for found, fact_of in ways:
        place = session.journal.location(found[0]) if found is not None else None
        fact = fact_of(session, found[1]) if place is not None else None
        if fact is not None:
            message = "the optimizer received gradients of other variables" if fact_of is _misfit else _REFUSED
            symptom = Symptom(kind="exception", message=message, location=place)
            yield CaseGroup(symptom=symptom, facts=(_at(fact, place),))


def _at(fact: Mispaired, place: Any) -> Mispaired:
    return msgspec.structs.replace(fact, applied=place, refused=True)


def _swapped(session: Any, handles: Any) -> Mispaired | None:
    known = session.tapes.variables
    found = tuple(known[handle] for handle in handles if handle in known)
    return Mispaired(problem="swapped", variables=found) if found else None


def _unpaired(session: Any, given: Any) -> Mispaired:
    known = session.tapes.variables
    found = tuple(known[handle] for handle in given.handles if handle in known)
    return Mispaired(problem="unpaired", variables=found, keys=given.keys, nested=given.nested)


def _misfit(session: Any, misfits: Any) -> Mispaired | None:
    tapes = session.tapes
    found = [each for each in misfits if each.variable in tapes.variables]
    if not found:
        return None
    asks = {key: (ask, handle) for ask in tapes.updates.asks for handle, key in zip(ask.handles, ask.gradients)}
    ask, handle = asks.get(found[0].gradient, (None, -1))
    return Mispaired(
        problem="misfit",
        variables=tuple(tapes.variables[each.variable] for each in found),
        asked=session.journal.location(ask.place) if ask is not None else None,
        instead=tapes.variables.get(handle),
        given=found[0].shape,
    )
