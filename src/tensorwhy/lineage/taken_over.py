"""Which variable a plain tensor stands for by now: it took over its name, or its place among the sources of a call."""

from __future__ import annotations

import msgspec

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.places import Places
from tensorwhy.lineage.untaken import names_at
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.recording import journal as j
from tensorwhy.source.dataflow import Dataflow


def taken_over(
    lineage: Lineage, question: GradientQuestion, places: Places, flow: Dataflow, source: Source
) -> tuple[Location, Variable] | None:
    """For a plain tensor that was computed from a trainable variable that it stands for: where, and from which."""
    if source.variable:
        return None
    known = lineage.rules.variables
    trainable = [
        msgspec.structs.replace(known[tensor], created=places.made(tensor))
        for tensor in sorted(lineage.ancestors((source.tensor,), question.event))
        if tensor in known and known[tensor].trainable
    ]
    frames = _handed_up(lineage, places, flow, source.tensor) if trainable else []
    found: list[tuple[Location, Variable]] = []
    for variable in trainable if frames else ():
        created = variable.created
        names = names_at(flow.sources, created)
        bound = (flow.binding(frame, names) for frame in frames if frame != created)
        place = next((each for each in bound if each is not None), None)
        if created not in frames[:1] and place is not None:
            found.append((place, variable))
    # Steps of several variables stand side by side, each computed from all: its own line tells which was its name.
    named = min(found, key=lambda pair: pair[0].line != frames[0].line, default=None)
    return named or _updated(lineage, question, places, source, trainable)


def _updated(
    lineage: Lineage, question: GradientQuestion, places: Places, source: Source, trainable: list[Variable]
) -> tuple[Location, Variable] | None:
    """By what made it: the value of a variable, and a gradient that the same call gave, together in one operation.

    So a dictionary or a list of variables becomes one of tensors, and no name tells. A step that another recorder
    records is to be differentiated itself: it must not change a variable.
    """
    for event in lineage.makers(source.tensor)[:1]:
        values = {input: _variable(lineage, input) for input in event.inputs}
        variable = next((each for each in trainable if each.tensor in values.values()), None)
        others = tuple(input for input, handle in values.items() if handle is None and input >= 0)
        place = places.at(event.place)
        recorded = lineage.timeline.on_another(question.recorder, event.index, event.thread)
        if variable is not None and place is not None and not recorded and variable.shape == source.shape:
            calls = {
                lineage.timeline.gradient_call(maker.index, maker.thread)
                for tensor in (*others, *lineage.ancestors(others, event.index))
                for maker in lineage.makers(tensor)
            }
            if question.place in calls:
                return place, variable
    return None


def _variable(lineage: Lineage, value: int) -> int | None:
    """The handle of the variable whose value this is, as it was read."""
    handle = j.variable_handle(value)
    for event in lineage.makers(value) if handle is None else ():
        if event.inputs and lineage.op_name(event) in lineage.rules.reading:
            handle = event.inputs[0]
    return handle


def _handed_up(lineage: Lineage, places: Places, flow: Dataflow, tensor: int) -> list[Location]:
    """The line at which a tensor was made, and the calls that returned it, innermost first."""
    found: list[Location] = []
    for event in lineage.makers(tensor)[:1]:
        for frame in places.chain(event.place):
            if found and not flow.is_returned(found[-1]):
                break
            found.append(frame.location)
    return found
