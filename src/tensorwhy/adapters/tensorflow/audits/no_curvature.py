"""Second gradients that are zero whatever the values are: a network of ReLUs has no curvature.

This follows from the operations alone, so that it is known in traced functions, too. It is told only where the zeros
went into what variables are trained by: who measures a curvature may find that there is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.lineage.curvature import straight
from tensorwhy.lineage.layers import variable_beside
from tensorwhy.model.facts.zero import NoCurvature
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording.journal import Event


def audit(session: Any) -> Iterator[NoCurvature]:
    """One fact for each call site that asks for such a gradient."""
    asks: list[Ask] = session.tapes.updates.asks
    sites = {(ask.place, ask.owner): ask for ask in reversed(asks) if any(handle < 0 for handle in ask.handles)}
    for ask in sites.values():
        if any(session.tapes.variables.keys() & {*other.handles} for other in _later(asks, ask)):
            yield from _facts(session, asks, ask)


def _later(asks: list[Ask], ask: Ask) -> Iterator[Ask]:
    """The questions that were asked after one, in the same step or a later one."""
    return (other for other in asks if other.owner == ask.owner and other.event > ask.event)


def _facts(session: Any, asks: list[Ask], ask: Ask) -> Iterator[NoCurvature]:
    lineage, journal = session.lineage(), session.journal
    zero = session.tapes.zeros.ever_zero(ask.place)
    for position, (source, handle, gradient) in enumerate(zip(ask.sources, ask.handles, ask.gradients)):
        if handle >= 0 or gradient < 0 or (not ask.owner and position not in zero):
            continue
        found = straight(lineage, ask.targets, source, ask.event)
        trained = next(
            (
                other
                for other in _later(asks, ask)
                if gradient in lineage.ancestors(other.targets, other.event) and _trains(session, other)
            ),
            None,
        )
        if not found or trained is None:
            continue
        places = [_place(session, event) for event in found]
        known = sorted({place for place, _ in places if place is not None}, key=lambda place: place.order)
        first = lineage.timeline.gradient_call(found[0][1].index, found[0][1].thread)
        yield NoCurvature(
            question=GradientQuestion(
                event=ask.event,
                place=ask.place,
                recorder=ask.tape,
                targets=ask.targets,
                sources=(Source(tensor=source, position=position),),
                asked=len(ask.handles),
                location=journal.location(ask.place),
            ),
            straight=tuple(known),
            op=lineage.op_name(found[0][0]),
            layer_name=next((name for place, name in places if known and place == known[0]), ""),
            first=journal.location(first) if first is not None else None,
            trained=journal.location(trained.place),
        )
        return  # further sources have the same reason


def _trains(session: Any, ask: Ask) -> bool:
    """Return whether variables that this question is about were changed in the run."""
    updates, applied = session.tapes.updates, session.tapes.applied
    given = {handle for handle, gradient in zip(ask.handles, ask.gradients) if handle >= 0 and gradient >= 0}
    return any(handle in applied.handles or updates.watched[handle].ever_changed() for handle in given)


def _place(session: Any, found: tuple[Event, Event]) -> tuple[Location | None, str]:
    """The user's line of an operation; of a layer of Keras that of the layer, and its name."""
    variable = variable_beside(session.lineage(), found[0])
    layer = session.tapes.layers.by_handle.get(variable.tensor) if variable is not None else None
    if layer is not None and layer.native and layer.made is not None:
        return layer.made, layer.name
    return session.journal.location(found[0].place), ""
