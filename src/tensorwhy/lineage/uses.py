"""What a program did with a source that its target was not computed from: "unused" alone would say little."""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable, Iterator

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.places import Places
from tensorwhy.lineage.search import search
from tensorwhy.lineage.unconnected import Trail
from tensorwhy.model.facts.gradient import Use
from tensorwhy.model.location import Location
from tensorwhy.model.question import Function, GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event


class Uses:
    """Answers for the sources of one question, whose recorder was opened at the row `opened`."""

    def __init__(self, lineage: Lineage, question: GradientQuestion, places: Places, opened: int) -> None:
        self._lineage = lineage
        self._question = question
        self._places = places
        self._opened = opened

    def shared_call(self, source: Source) -> Use | None:
        """Return the call that gave both the source and something that the target is made of.

        A recorder records a traced function as one operation: it sees no way from one of its results to another.
        """
        ancestors = self._places.ancestors
        for event in self._lineage.makers(source.tensor):
            others = [i for i, made in enumerate(event.outputs) if made in ancestors and made != source.tensor]
            location = self._places.at(event.place)
            if not others or location is None or event.kind > j.RECORDED:
                continue
            function = self._function(event)
            linked = function is None or self._linked(function, event.outputs.index(source.tensor), others)
            begins = self._begins(function) if function is not None else None
            op = self._lineage.op_name(event)
            op = "" if function is not None or op in self._lineage.rules.kinds.calls else op
            return Use(how="shared-call", location=location, op=op, other=begins, linked=linked)
        return None

    def _function(self, event: Event) -> Function | None:
        name, *called = self._lineage.journal.names[event.name].split("|")
        functions = self._lineage.rules.functions
        return functions.get(called[0] if called else name)

    def _linked(self, function: Function, given: int, others: list[int]) -> bool:
        """Return whether inside of a function some of its results may be computed from another one."""
        if max(given, *others) >= len(function.outputs) or not self._lineage.bodies.is_recorded(function):
            return True
        inside = self._origins((function.outputs[given],))
        ends, position = tuple(function.outputs[i] for i in others), self._lineage.journal.position
        ways = search(self._lineage, 0, ends, position)
        if any(ways.path(tensor) for tensor in inside - {*self._lineage.rules.variables}):
            return True
        reached = self._lineage.ancestors(ends, position)
        for tensor in inside:
            for event in self._lineage.makers(tensor):
                inner = self._function(event)  # a call in the function may give both, too
                beside = [i for i, made in enumerate(event.outputs) if made in reached and made != tensor]
                if inner is not None and inner is not function and beside:
                    return self._linked(inner, event.outputs.index(tensor), beside)
        return False

    def _origins(self, tensors: Iterable[int]) -> set[int]:
        """Return these tensors, and what they are copies of: a function hands out copies of its results."""
        lineage, found, waiting = self._lineage, {*tensors}, [*tensors]
        while waiting:
            for event in lineage.makers(waiting.pop()):
                if lineage.op_name(event) in lineage.rules.copying and event.inputs[0] not in {*found, 0}:
                    found.add(event.inputs[0])
                    waiting.append(event.inputs[0])
        return found

    def _begins(self, function: Function) -> Location | None:
        """Return the last line that computed one of its results."""
        rows = [event for tensor in self._origins(function.outputs) for event in self._lineage.makers(tensor)]
        own = [event for event in rows if self._lineage.op_name(event) not in self._lineage.rules.copying]
        return self._places.at(max(own, key=lambda event: event.index).place) if own else None

    def added_loss(self, trail: Trail) -> Use | None:
        """Return where something that was computed from the source was handed over as a further loss."""
        for event in reversed(trail.events):
            for tensor in event.outputs:
                location = self._lineage.rules.collected(tensor)
                if location is not None:
                    return Use(how="added-loss", location=location, early=event.index < self._opened)
        return None

    def shape(self, trail: Trail) -> Use | None:
        """Return the operation by which the target got nothing but the shape or dtype of a source."""
        lineage, given = self._lineage, trail.tensors
        for event in lineage.journal.events(self._opened, self._question.event):
            if (
                event.kind <= j.GRAPH_OP
                and lineage.op_name(event) in lineage.rules.shape_only
                and given & {*event.inputs}
                and self._places.ancestors & {*event.outputs}
            ):
                location = self._places.at(event.place)
                return Use(how="shape", location=location, op=lineage.op_name(event)) if location is not None else None
        return None

    def component(self, source: Source) -> Use | None:
        """Return where the target used another part of a composite than the values that it is asked for."""
        beside = {*source.beside} & self._places.ancestors
        for event in self._lineage.journal.events(self._opened, self._question.event) if beside else ():
            if event.kind <= j.RECORDED and beside & {*event.inputs} and self._places.ancestors & {*event.outputs}:
                location = self._places.at(event.place)
                return Use(how="component", location=location) if location is not None else None
        return None

    def earlier(self, trail: Trail, last: Location | None) -> Use | None:
        """Return the last use of a variable that no operation used since the recorder was opened."""
        if (
            last is None
            or not trail.events
            or last not in {frame.location for event in trail.events for frame in self._places.chain(event.place)}
        ):
            return None
        return Use(how="earlier", location=last)

    def again(self, source: Source) -> Use | None:
        """Return where the target got another result of the same computation that gave the source.

        Both come out of the same operation, from the same variables and inputs: a model that was called twice.
        """
        maker = next((event for event in self._lineage.makers(source.tensor) if event.kind <= j.GRAPH_OP), None)
        location = self._places.made(source.tensor)
        if maker is None or location is None:
            return None
        name, origin = self._lineage.op_name(maker), self._leaves(source.tensor)
        for tensor in sorted(self._places.ancestors) if origin & {*self._lineage.rules.variables} else ():
            for event in self._lineage.makers(tensor):
                if event.kind == maker.kind and self._lineage.op_name(event) == name and self._leaves(tensor) == origin:
                    return Use(how="again", location=location, other=self._places.made(tensor))
        return None

    def derived(self, source: Source) -> Use | None:
        """Return what the target was computed from instead, where the source itself comes from that.

        `x[0]` is another tensor each time that it is written, and so is a cast or a reshape. What a cache gives back
        for a sample is what that was computed from: the last that was made says most.
        """
        location, known = self._places.made(source.tensor), self._lineage.rules.variables
        if source.variable or location is None:
            return None
        parts = self._origins_of(source, self._lineage.rules.kinds.moving)
        if parts:
            if len(parts) > 1:
                return Use(how="derived", location=location)
            name = known[parts[0]].name if parts[0] in known else ""
            return Use(how="derived", location=location, other=self._places.made(parts[0]), name=name)
        if self._made_where_asked(source):
            return None
        makers = [next(iter(self._lineage.makers(each)), None) for each in self._origins_of(source, None)]
        places = {each.index: self._places.at(each.place) for each in makers if each is not None}
        return Use(how="inverse", location=location, other=places[max(places)]) if places else None

    def _made_where_asked(self, source: Source) -> bool:
        """Return whether the line that asks computed the source: then nothing else has it, and no cache knows it."""
        asked, made = self._question.location, [event.place for event in self._lineage.makers(source.tensor)]
        lines = {(frame.location.file, frame.location.line) for place in made for frame in self._places.chain(place)}
        return asked is not None and (asked.file, asked.line) in lines

    def _origins_of(self, source: Source, ops: Container[str] | None) -> list[int]:
        """Return the nearest that both the source and the target come from, by way of these operations (None: any)."""
        lineage, found = self._lineage, dict[int, None]()
        waiting, seen = deque([source.tensor]), {source.tensor}
        while waiting:
            for edge in lineage.edges(waiting.popleft(), self._question.event):
                origin = lineage.captured(edge.source) or edge.source
                goes_on = edge.loss in ("", "stop-gradient") and (ops is None or edge.op in ops)
                if not goes_on or origin in seen or origin < 0:
                    continue
                seen.add(origin)
                if {origin, edge.source} & self._places.ancestors and lineage.is_differentiable(origin):
                    found[origin] = None
                else:
                    waiting.append(edge.source)
        return [*found]

    def _leaves(self, tensor: int) -> set[int]:
        """Return what a tensor was computed from: the variables and tensors that nothing made."""
        every = self._lineage.ancestors((tensor,), self._question.event)
        return {each for each in every if each in self._lineage.rules.variables or not self._lineage.makers(each)}

    def restored(self, source: Source, stores: Iterable[Event]) -> Event | None:
        """Return the row, of these, that set another asked variable before the step, if its line set the source, too.

        What packs variables into one vector unpacks it again, and an optimizer updates all of them together: the value
        of each can have got to all others, and nobody wants that way back.
        """
        asked = {*self._question.all_sources} - {source.tensor}
        places = {event.place for event in self._lineage.assignments(source.tensor)}
        for event in stores:
            variable = self._lineage.captured(event.inputs[0]) or event.inputs[0]
            if event.index < self._opened and variable in asked and event.place in places:
                return event
        return None

    def from_outside(self) -> Iterator[Event]:
        """The rows that stored in an asked variable what no variable had a part in: numbers that came from outside."""
        known = {*self._lineage.rules.variables}
        for variable in self._question.all_sources:
            for event in self._lineage.assignments(variable):
                stored = tuple(value for value in event.inputs[1:2] if value > 0)
                if not known & self._lineage.ancestors(stored, event.index):
                    yield event

    def packed(self, source: Source, trail: Trail, restored: Event) -> Use | None:
        """Return where a source was packed into one vector with other variables, of which an array was made."""
        if not any(event.kind == j.EXIT and event.index < restored.index for event in trail.events):
            return None  # an optimizer of the framework updates each of them by itself
        others = {*self._question.all_sources} - {source.tensor}
        before = self._question.event
        for event in trail.events:
            beside = [value for value in event.inputs if value > 0 and value not in trail.tensors]
            if beside and others & self._lineage.ancestors(tuple(beside), before):
                break
        else:
            event = trail.events[-1]
        location = self._places.at(event.place)
        return Use(how="packed", location=location, other=self._places.at(restored.place)) if location else None
