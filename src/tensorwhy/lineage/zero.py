"""Why a gradient is exactly zero: the closed gates between the target and the variables that got only zeros."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Iterator

import msgspec

from tensorwhy.lineage.flow import Arm, Flow, arms, walk
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.layers import variable_beside
from tensorwhy.lineage.zero_origins import Cause, Origins
from tensorwhy.lineage.zero_values import ZeroValues
from tensorwhy.model.facts.gate import Gate
from tensorwhy.model.facts.zero import GateKind, ZeroGradient
from tensorwhy.model.location import Location
from tensorwhy.model.question import Function, Source, ValueSnapshot, Variable, ZeroQuestion
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

_LOOKED_AT = 200_000
"""So many inputs are looked at to find one operation that is to blame: each that could be takes a walk of its own."""


class ZeroExplainer:
    """Explains one question. `snapshot` is what was seen of values in its step, or of variables over the whole run."""

    def __init__(self, lineage: Lineage, question: ZeroQuestion, snapshot: ValueSnapshot) -> None:
        self._lineage = lineage
        self._kinds = lineage.rules.kinds
        self._question = question
        self._snapshot = snapshot
        self._zero = {source.tensor for source in question.sources}
        self._moving = set(question.moving)
        self._above: dict[int, set[int]] = {}
        self._values = ZeroValues(lineage, snapshot)
        self._supposed: dict[tuple[int, bool], Flow] = {}
        self._alive: set[int] = set()
        self._origins = Origins(lineage, question.recorder, snapshot, self._values, self._upstream, self._held_back)

    def facts(self) -> Iterator[ZeroGradient]:
        """One fact for each place that is needed to explain a zero; none for a zero that is not understood."""
        causes: dict[tuple[object, ...], tuple[Cause, list[Source], dict[Gate | None, None]]] = {}
        flow = self._walk(self._is_shut)
        self._alive = flow.alive
        guess = self._guess(flow) if any(source.tensor in flow.alive for source in self._question.sources) else None
        for source in self._question.sources:
            for cause in self._causes(source, flow, guess):
                key = (cause.kind, self._line(cause.event), cause.variable)
                _, sources, gates = causes.setdefault(key, (cause, [], {}))
                sources += [] if source in sources else [source]
                gates[cause.gate] = None
        for cause, sources, gates in causes.values():
            opened = tuple(gate for gate in gates if gate is not None)
            yield self._fact(cause, tuple(sources), opened if len(opened) == len(gates) else ())

    def cancelling(self, sources: Iterable[Source]) -> Iterator[ZeroGradient]:
        """One fact for each tensor whose ways cancel behind these sources, whatever else is closed on the way."""
        found: dict[int, list[Source]] = {}
        for source in sources:
            for first in {self._first_cancelled(t) for t in self._cancelled if source.tensor in self._upstream(t)}:
                found.setdefault(first, []).append(source)
        for first, mine in found.items():
            yield self._fact(Cause("cancelled", self._last_use(first), ways=first), tuple(mine), ())

    def _line(self, event: Event | None) -> tuple[object, ...]:
        """The line of an operation: what several operations of one line close is told once."""
        place = self._lineage.journal.location(event.place) if event is not None else None
        layer = variable_beside(self._lineage, event) if event is not None else None
        return (place.file, place.line, layer) if place is not None else (event and event.index,)

    def _walk(self, shut: object) -> Flow:
        return walk(self._lineage, self._question.targets, self._question.event, shut)  # type: ignore[arg-type]

    def _causes(self, source: Source, flow: Flow, guess: Cause | None) -> list[Cause]:
        if source.tensor in flow.alive:
            return [guess.met(None, self._kinds)] if guess is not None and self._explains(guess, source) else []
        found: list[Cause] = []
        if any(source.tensor in self._upstream(arm.source) and self._is_free_limit(arm, flow) for arm in flow.closed):
            return []
        for arm in flow.closed:
            if source.tensor in self._upstream(arm.source) and not self._goes_beside(arm, source, flow):
                cause = self._cause(arm)
                if cause is not None:
                    found.append(cause.met(arm, self._kinds))
                elif not self._upstream(arm.source) & self._cancelled:  # what cancels makes further zeros
                    return []  # a zero on the way that is not understood
        given = [cause for cause in found if cause.kind == "given"]  # with zeros for data, no mask is to blame
        ways = given or [
            cause for cause in found if cause.ways >= 0
        ]  # the zeros of such a cancellation close further gates
        return ways or found or list(self._unused_outputs(source, flow))

    def _goes_beside(self, arm: Arm, source: Source, flow: Flow) -> bool:
        """True if a limit or a choice that is closed at one input hands the gradient on to another, for this source."""
        return arm.name in self._kinds.limiting | self._kinds.selecting and any(
            other.event.index == arm.event.index and source.tensor in self._upstream(other.source)
            for other in flow.arms
        )

    def _is_free_limit(self, arm: Arm, flow: Flow) -> bool:
        """True if an arm is a limit that is learned and that no element comes to, while what it limits is trained."""
        return (
            arm.name in self._kinds.limiting
            and self._is_offset(arm.source)
            and any(
                other.event.index == arm.event.index and self._upstream(other.source) & self._moving
                for other in flow.arms
            )
        )

    def _upstream(self, tensor: int) -> set[int]:
        if tensor not in self._above:
            self._above[tensor] = walk(self._lineage, (tensor,), self._question.event, outer=self._open.outer).alive
        return self._above[tensor]

    def _held_back(self, variable: int) -> bool:
        return variable in self._zero and variable not in self._alive

    # -- gates ---------------------------------------------------------------------------------------------------

    def _is_shut(self, arm: Arm) -> bool:
        """Return whether this operation hands nothing but zeros to this input."""
        event, name, snapshot = arm.event, arm.name, self._snapshot
        if event.kind == j.RECORDED or not event.outputs:
            return False
        made = event.outputs[0]
        if name in self._kinds.loops:
            if made in snapshot.skipped:  # one that never ran hands each value on as it is, and uses nothing else
                return event.outputs[arm.position : arm.position + 1] != (arm.made,)
            return arm.position not in self._lineage.bodies.reaching(event, arm.made)
        if arm.source in self._cancelled or made in snapshot.constant:
            return True
        if arm.position in snapshot.closed.get(made, ()) or made in snapshot.single:
            return True
        if self._same_inputs(arm) or self._origins.twice(event):
            return True
        if name in self._kinds.multiplying:
            others = [value for i, value in enumerate(event.inputs) if i != arm.position]
            return len(others) == 1 and self._values.is_zero(others[0])
        if name in self._kinds.dividing:
            return arm.position == 1 and self._values.is_zero(event.inputs[0])
        if name in self._kinds.vanishing:
            return self._values.is_zero(event.inputs[0])
        if name in self._kinds.squaring:
            return made in snapshot.zero
        return self._lineage.facts(event).carries(arm.position) == "zero"

    def _same_inputs(self, arm: Arm) -> bool:
        inputs = arm.event.inputs
        return (
            arm.name in (self._kinds.differing | self._kinds.dividing)
            and len(inputs) == 2
            and inputs[0] == inputs[1] >= 0
        )

    def _cause(self, arm: Arm) -> Cause | None:
        """Why the gate is closed; None when that is as it should be, or not known."""
        event, name = arm.event, arm.name
        made = event.outputs[0]
        if name in self._kinds.loops:
            return Cause("skipped", event) if made in self._snapshot.skipped else self._step_in_loop(arm)
        if arm.source in self._cancelled:
            first = self._first_cancelled(arm.source)
            return Cause("cancelled", self._last_use(first), ways=first)
        if made in self._snapshot.constant:
            return Cause("cancelled", self._added_up(event), summed=name)
        if self._same_inputs(arm) or made in self._snapshot.single:
            return Cause("cancelled", event)
        if self._origins.twice(event):
            return Cause("cancelled", event, twice=True)
        if (
            name in self._kinds.multiplying
            and self._differentiated
            and self._varied.intersection(event.inputs) - {arm.source}
        ):
            return None
        if made in self._snapshot.factors:
            scalar, named = made in self._snapshot.scalar, self._snapshot.factors[made]
            return Cause("masked", event, scalar=scalar, named=named, factor=-1 if named else 1 - arm.position)
        if name in self._kinds.multiplying:
            other = next(value for i, value in enumerate(event.inputs) if i != arm.position)
            square = event.inputs[0] == event.inputs[1]  # nothing is masked in it
            why = self._origins.why_zero(other, None if square else arm)
            return self._origins.unless_given(why, event, other) or self._origins.factor(other, arm)
        if name in self._kinds.dividing:
            return self._origins.why_zero(event.inputs[0], None)
        if name in self._kinds.vanishing or name in self._kinds.differing:
            zero = event.inputs[0] if name not in self._kinds.squaring else made
            return self._origins.unless_given(self._origins.why_zero(zero, None), event, zero)
        if name in self._kinds.rectifying:
            why = self._origins.why_zero(made, None) if self._values.is_zero(event.inputs[0]) else None
            return self._origins.unless_given(why, event, made) or Cause("dead", event)
        if name in self._kinds.selecting:
            return Cause("masked", event)
        if name in self._kinds.saturating:
            return Cause("saturated", event)
        if name in self._kinds.limiting and self._origins.rectifies(event):
            return Cause("dead", event)
        return Cause("flat", event)

    def _step_in_loop(self, arm: Arm) -> Cause | None:
        """A step function in the body of a loop, for which that hands on zeros; None for what was stopped there."""
        lost = self._lineage.bodies.lost_in_rounds(arm.event, arm.made, arm.position)
        steps = lost is not None and {each.kind for each in lost.lost} <= {"no-gradient", "dtype"}
        return Cause("flat", lost.edge.event) if lost is not None and steps else None

    @functools.cached_property
    def _cancelled(self) -> set[int]:
        """The tensors whose ways cancel, without the offsets that are only compared with themselves.

        Where scores are compared (a ranking, a critic), a bias of them takes no part, and that is as it should be.
        """
        return {each for each in self._snapshot.cancelled if not self._moving or not self._is_offset(each)}

    def _is_offset(self, tensor: int) -> bool:
        """Return whether a tensor is made of a single variable and of no data."""
        above, known = self._upstream(tensor), self._lineage.rules.variables.keys()
        return len(above & known) < 2 and not any(map(self._is_data, above - known - self._snapshot.scalar))

    def _is_data(self, tensor: int) -> bool:
        """Return whether a tensor is made of nothing that a gradient could get to."""
        ways = (arm for event in self._lineage.makers(tensor) for arm in arms(self._lineage, event, tensor))
        return self._lineage.is_differentiable(tensor) and not any(ways)

    def _first_cancelled(self, tensor: int) -> int:
        """Of the tensors whose ways cancel, the one that the others come from: what was normalised."""
        return min(self._upstream(tensor) & self._cancelled, default=tensor)

    def _last_use(self, tensor: int) -> Event:
        """The last of the operations whose gradients for this tensor cancel."""
        return max((arm.event for arm in self._open.arms if arm.source == tensor), key=lambda event: event.index)

    def _added_up(self, softmax: Event) -> Event:
        """The first sum that what a softmax gives goes into."""
        after = self._open.after(softmax.outputs[0])
        sums = (arm.event for arm in self._open.arms if arm.source in after and arm.name in self._kinds.summing)
        return min(sums, key=lambda event: event.index, default=softmax)

    # -- functions -----------------------------------------------------------------------------------------------

    def _unused_outputs(self, source: Source, flow: Flow) -> Iterator[Cause]:
        """A call of a traced function of which the target uses only outputs that do not depend on the source."""
        for call, function, used in flow.calls.values():
            for position, inner in enumerate(function.outputs):
                if position not in used and inner not in flow.alive and source.tensor in self._upstream(inner):
                    yield from self._output(inner, Gate(way="used", made=call.outputs[position]))
                    return

    def _output(self, inner: int, gate: Gate) -> Iterator[Cause]:
        """What made an output, inside the function: beyond the copies that TensorFlow makes of results."""
        tensor = inner
        while True:
            event = next((e for e in self._lineage.makers(tensor) if e.kind == j.GRAPH_OP), None)
            if event is None:
                return
            if self._lineage.op_name(event) != self._kinds.identity or not event.inputs:
                yield Cause("unused-output", event, gate=gate)
                return
            tensor = event.inputs[0]

    # -- by elimination ------------------------------------------------------------------------------------------

    def _guess(self, flow: Flow) -> Cause | None:
        """The one operation without a known value that, if it were closed, would explain most zeros and deny no other.

        Only with variables that do move as witnesses; when two operations explain the same, none is named.
        """
        if not self._moving:
            return None
        left = {source.tensor for source in self._question.sources if source.tensor in flow.alive}
        best: list[tuple[int, Cause]] = []
        for event, functions in flow.branches.values():
            cause = self._untaken(event, functions)
            if cause is not None:
                best.append((len(left), cause))
        closing = self._kinds.rectifying | self._kinds.saturating | self._kinds.limiting
        unseen = [
            arm
            for arm in flow.arms
            if arm.name in closing and arm.event.kind != j.RECORDED and arm.event.outputs[0] not in self._snapshot.seen
        ]
        for arm in unseen if len(unseen) * len(flow.arms) <= _LOOKED_AT else ():
            explained = self._if_closed(arm, left)
            if explained:
                kind: GateKind = "dead" if arm.name in self._kinds.rectifying else "saturated"
                if arm.name in self._kinds.limiting:
                    kind = "dead" if self._origins.rectifies(arm.event) else "flat"
                best.append((explained, Cause(kind, arm.event, exact=False)))
        best.sort(key=lambda pair: -pair[0])
        if not best or (len(best) > 1 and best[0][0] == best[1][0]):
            return None
        return best[0][1]

    def _closed_flow(self, event: Event, zero: bool) -> Flow:
        """The walk on which one more operation is closed; with `zero` its output is taken to be zero, too."""
        key = (event.index, zero)
        if key not in self._supposed:
            with self._values.supposing(event.outputs[:1] if zero else ()):
                self._supposed[key] = self._walk(lambda arm: arm.event.index == event.index or self._is_shut(arm))
        return self._supposed[key]

    def _if_closed(self, arm: Arm, left: set[int]) -> int:
        alive = self._closed_flow(
            arm.event, arm.name in self._kinds.rectifying or self._origins.rectifies(arm.event)
        ).alive
        if not self._moving & self._open.alive <= alive:
            return 0
        return len(left - alive)

    @functools.cached_property
    def _open(self) -> Flow:
        """The walk on which every gate is open."""
        return self._walk(lambda arm: False)

    def _explains(self, cause: Cause, source: Source) -> bool:
        if cause.event is None or cause.kind == "untaken":
            return cause.kind == "untaken" and cause.event is not None
        return source.tensor not in self._closed_flow(cause.event, cause.kind == "dead").alive

    def _untaken(self, event: Event, functions: tuple[Function, ...]) -> Cause | None:
        """A branch whose own variables got only zeros while those of another branch moved."""
        own = [
            set().union(*map(self._upstream, function.outputs)) & (self._zero | self._moving) for function in functions
        ]
        for number, mine in enumerate(own):
            others = set().union(*(each for k, each in enumerate(own) if k != number))
            alone, away = mine - others, others - mine
            if alone & self._zero and not alone & self._moving and away & self._moving:
                return Cause("untaken", event, exact=False)
        return None

    # -- places --------------------------------------------------------------------------------------------------

    def _fact(self, cause: Cause, sources: tuple[Source, ...], gates: tuple[Gate, ...]) -> ZeroGradient:
        event = cause.event
        made = event.outputs[0] if event is not None and event.outputs else -1
        return ZeroGradient(
            kind=cause.kind,
            question=self._question,
            sources=tuple(msgspec.structs.replace(s, made=self._created(s.tensor)) for s in sources),
            op=self._lineage.op_name(event) if event is not None else "",
            location=cause.named
            or (self._lineage.journal.location(event.place) if event else self._created(cause.variable)),
            layer=variable_beside(self._lineage, event, cause.ways) if event is not None else None,
            ways=cause.ways >= 0,
            elements=self._snapshot.elements.get(made, 0),
            variable=self._variable(cause.variable),
            everything=not self._moving,
            scalar=cause.scalar,
            summed=cause.summed,
            factor=cause.factor,
            twice=cause.twice,
            at_the_end=event is not None and not self._trained_after(made),
            within_gradient=event is not None and self._in_gradient(event),
            differentiated=self._differentiated,
            gates=gates,
            exact=cause.exact and self._question.copy != "made-up",
        )

    @functools.cached_property
    def _differentiated(self) -> bool:
        at, journal = self._question.event, self._lineage.journal
        asked = next(journal.events(at, at + 1), None) if at < journal.position else None
        return asked is not None and self._lineage.timeline.on_another(self._question.recorder, at, asked.thread)

    @functools.cached_property
    def _varied(self) -> set[int]:
        """Tensors that another recorder was told to watch: their zeros are where a slope is looked for, and no mask."""
        watches = (event for event in self._lineage.journal.events() if event.kind == j.WATCH)
        return {event.inputs[1] for event in watches if event.inputs[0] != self._question.recorder}

    def _in_gradient(self, event: Event) -> bool:
        return self._lineage.timeline.gradient_call(event.index, event.thread) is not None

    def _variable(self, tensor: int) -> Variable | None:
        return self._lineage.rules.variables.get(tensor)

    def _created(self, tensor: int) -> Location | None:
        known = self._variable(tensor)
        if known is not None and known.created is not None:
            return known.created
        return next((self._lineage.journal.location(e.place) for e in self._lineage.makers(tensor)), None)

    def _trained_after(self, made: int) -> bool:
        """Return whether something that is trained is computed with, between a tensor and the target.

        What has become a single number by then, as losses do, is no feature: a learned weight of it does not count.
        """
        flow = self._open
        after = flow.after(made, self._snapshot.scalar)
        known = self._lineage.rules.variables
        return any(
            known_variable in known
            for arm in flow.arms
            if arm.source in after
            for other in arms(self._lineage, arm.event, arm.made)
            if other.source not in after
            for known_variable in self._upstream(other.source)
        )
