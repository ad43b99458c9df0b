"""Zeros that no operation of a step made: what a graph fills in for a part of it that nothing came from.

An output of a function that the target does not use, a branch that was not taken, a loop that never ran: in eager code
the gradient would be None. What loses a gradient in the rounds of a loop is found here as well, because a loop shows
nothing of its values.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

import msgspec

from tensorwhy.lineage.flow import Arm, Flow, walk
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.signal_facts import Surroundings
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.signal import Operation, Seen, SignalBreak, Why
from tensorwhy.model.question import Function, GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event


class _Cause(NamedTuple):
    why: Why
    event: Event
    gates: tuple[Gate, ...] = ()


class Unreached:
    """One question. `moving` are sources that got another gradient than zero, `skipped` the loops that never ran."""

    def __init__(
        self, lineage: Lineage, question: GradientQuestion, moving: Collection[int], skipped: Collection[int]
    ) -> None:
        self._lineage = lineage
        self._kinds = lineage.rules.kinds
        self._question = question
        self._moving = set(moving)
        self._zero = {source.tensor for source in question.sources}
        self._skipped = skipped
        self._above: dict[int, set[int]] = {}
        self._outer = walk(lineage, question.targets, question.event).outer

    def facts(self, around: Surroundings, steps: int) -> Iterator[SignalBreak]:
        """One fact for each line, about the sources that nothing came from because of it."""
        flow = walk(self._lineage, self._question.targets, self._question.event, self._is_shut)
        found: dict[tuple[Why, object], tuple[_Cause, list[Source]]] = {}
        for source in self._question.sources:
            for cause in self._causes(source, flow):
                place = self._lineage.journal.location(cause.event.place)
                key = cause.why, (place.file, place.line) if place is not None else cause.event.index
                found.setdefault(key, (cause, []))[1].append(source)
        for cause, sources in found.values():
            yield SignalBreak(
                state="zero",
                why=cause.why,
                question=self._question,
                sources=tuple(
                    msgspec.structs.replace(each, made=each.made or around.created(each)) for each in sources
                ),
                operation=Operation(name=self._lineage.op_name(cause.event)),
                location=self._lineage.journal.location(cause.event.place),
                trained=any(map(around.is_trained, sources)),
                seen=Seen(steps=steps),
                gates=cause.gates,
                wording=around.wording,
            )

    def _causes(self, source: Source, flow: Flow) -> list[_Cause]:
        if source.tensor in flow.alive:
            untaken = (self._untaken(event, functions) for event, functions in flow.branches.values())
            return [each for each in untaken if each is not None][:1]
        closed = [arm for arm in flow.closed if source.tensor in self._upstream(arm.source)]
        loops = [cause for arm in closed if (cause := self._in_loop(arm)) is not None]
        return loops or list(self._unused_outputs(source, flow))

    def _upstream(self, tensor: int) -> set[int]:
        if tensor not in self._above:
            self._above[tensor] = walk(self._lineage, (tensor,), self._question.event, outer=self._outer).alive
        return self._above[tensor]

    # -- loops ---------------------------------------------------------------------------------------------------

    def _is_shut(self, arm: Arm) -> bool:
        """Return whether a loop hands nothing to this input: one that never ran hands each value on as it is."""
        event = arm.event
        if event.kind == j.RECORDED or not event.outputs or arm.name not in self._kinds.loops:
            return False
        if event.outputs[0] in self._skipped:
            return event.outputs[arm.position : arm.position + 1] != (arm.made,)
        return arm.position not in self._lineage.bodies.reaching(event, arm.made)

    def _in_loop(self, arm: Arm) -> _Cause | None:
        """A loop that never ran, or a step function in its body, for which that hands on zeros."""
        if arm.event.outputs[0] in self._skipped:
            return _Cause("skipped", arm.event)
        lost = self._lineage.bodies.lost_in_rounds(arm.event, arm.made, arm.position)
        steps = lost is not None and {each.kind for each in lost.lost} <= {"no-gradient", "dtype"}
        return _Cause("flat", lost.edge.event) if lost is not None and steps else None

    # -- functions and branches ----------------------------------------------------------------------------------

    def _unused_outputs(self, source: Source, flow: Flow) -> Iterator[_Cause]:
        """A call of a traced function of which the target uses only outputs that do not depend on the source."""
        for call, function, used in flow.calls.values():
            for position, inner in enumerate(function.outputs):
                if position not in used and inner not in flow.alive and source.tensor in self._upstream(inner):
                    yield from self._output(inner, Gate(way="used", made=call.outputs[position]))
                    return

    def _output(self, tensor: int, gate: Gate) -> Iterator[_Cause]:
        """What made an output, inside the function: beyond the copies that a framework makes of results."""
        while True:
            event = next((e for e in self._lineage.makers(tensor) if e.kind == j.GRAPH_OP), None)
            if event is None:
                return
            if self._lineage.op_name(event) != self._kinds.identity or not event.inputs:
                yield _Cause("unused-output", event, (gate,))
                return
            tensor = event.inputs[0]

    def _untaken(self, event: Event, functions: tuple[Function, ...]) -> _Cause | None:
        """A branch whose own variables got only zeros while those of another branch moved."""
        own = [set().union(*map(self._upstream, each.outputs)) & (self._zero | self._moving) for each in functions]
        for number, mine in enumerate(own):
            others = set().union(*(each for k, each in enumerate(own) if k != number))
            alone, away = mine - others, others - mine
            if alone & self._zero and not alone & self._moving and away & self._moving:
                return _Cause("untaken", event)
        return None
