"""Where the last of a source is, when nothing of it reached the target: the line after which nothing goes on."""

from __future__ import annotations

import ast
import functools

from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.places import Places
from tensorwhy.lineage.unconnected import Trail
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source import reading
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import walked


class Ends:
    """Answers for the sources of one question."""

    def __init__(self, lineage: Lineage, question: GradientQuestion, places: Places, flow: Dataflow) -> None:
        self._lineage = lineage
        self._question = question
        self._places = places
        self._flow = flow

    def last_trace(self, source: Source, trail: Trail) -> Location | None:
        """Where to look for what is missing.

        A source that nothing used: where it was made. A result that nothing read: there. A target that uses none of the
        sources: where the target was made. A part of a model whose result went nowhere: where it was put there. Else
        the place after which nothing of the source goes on.
        """
        places, question = self._places, self._question
        # A gradient that was computed of it on the way is no part of the target's computation.
        forward = (event for event in reversed(trail.events) if places.gradient_call([event]) is None)
        last = next(forward, trail.events[-1] if trail.events else None)
        if last is None:
            return (self.without_any or places.made(source.tensor)) if source.variable else None
        dropped, place = self._dropped(last), places.dead_end(last)
        if dropped is not None and dropped != question.location:
            return dropped
        if self._unread(place):
            return place
        kept = self._never_returned(trail, place)
        if kept is not None:
            return kept
        if self.without_any is not None:
            return self.without_any
        if source.variable and place == question.location:
            # What the asker itself does with it (an optimizer's slots) says nothing.
            return self._last_part(trail) or places.made(source.tensor) or place
        return place

    @functools.cached_property
    def without_any(self) -> Location | None:
        """Where a target was made that uses none of several sources."""
        places, question = self._places, self._question
        if question.asked != len(question.sources) or question.asked < 2 or places.ancestors & {*question.all_sources}:
            return None
        return places.own_target() or next((place for place in map(places.made, question.targets) if place), None)

    def _last_part(self, trail: Trail) -> Location | None:
        """Where the last part of an assembled model that still had something of the source was put there."""
        assembled = self._lineage.rules.assembled
        outputs = (tensor for event in reversed(trail.events) for tensor in event.outputs)
        return next((place for tensor in outputs if (place := assembled(tensor)) is not None), None)

    def _unread(self, place: Location | None) -> bool:
        """Return whether a line binds a result to names that nothing reads again: it was meant to be used."""
        statement = self._flow.sources.statement(place) if place is not None else None
        scope = self._flow.sources.function(place) if place is not None else None
        if not isinstance(statement, ast.Assign) or scope is None:
            return False
        nodes = [node for target in statement.targets for node in ast.walk(target)]
        names = {node.id for node in nodes if isinstance(node, ast.Name)}
        plain = all(isinstance(node, (ast.Name, ast.Tuple, ast.expr_context)) for node in nodes)
        read = {node.id for node in walked(scope) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
        return plain and not names & read

    def _never_returned(self, trail: Trail, beyond: Location | None) -> Location | None:
        """Where a function within the line `beyond` binds its last result of a source, and returns nothing of it."""
        met = {frame.location for event in trail.events for frame in self._places.chain(event.place)}
        for frame in self._places.chain(trail.events[-1].place):
            at = frame.location
            if at == beyond:
                return None
            own = [place for place in met if (place.file, place.function) == (at.file, at.function)]
            if self._unread(at) and not any(map(self._flow.is_returned, own)):
                return at
        return None

    def _dropped(self, last: Event) -> Location | None:
        """The line of an operation of the user's own whose result went nowhere: a statement that binds no name."""
        frame = next(iter(self._places.chain(last.place)), None)
        statement = self._flow.sources.statement(frame.location) if frame is not None else None
        if frame is None or not isinstance(statement, ast.Expr) or last.kind > j.GRAPH_OP or not last.outputs:
            return None
        value, place = statement.value, frame.location
        # An inner call of the statement hands its result to the outer one.
        own = reading.stands_at(value, place, self._flow.sources) or not any(
            isinstance(node, ast.Call) and node is not value for node in ast.walk(value)
        )
        return place if own and isinstance(value, (ast.Call, ast.BinOp)) else None
