"""What the target used in the place of a source: variables that look like it, and that nobody asked about."""

from __future__ import annotations

import ast
import functools

import msgspec

from tensorwhy.lineage.counterparts import bare, counterparts, same_kind
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import inputs_of
from tensorwhy.lineage.places import Places, own_line
from tensorwhy.lineage.unconnected import follow
from tensorwhy.model.facts.gradient import Use
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.recording import journal as j
from tensorwhy.source.dataflow import Dataflow


class Instead:
    """Answers for the sources of one question, whose recorder was opened at the row `opened`."""

    def __init__(
        self, lineage: Lineage, question: GradientQuestion, places: Places, flow: Dataflow, opened: int
    ) -> None:
        self._lineage = lineage
        self._question = question
        self._places = places
        self._flow = flow
        self._opened = opened

    def of(self, source: Source) -> tuple[Variable, ...]:
        """A variable that the target does depend on in place of this one, and that nobody asked about."""
        found = self._counterparts.get(source.tensor)
        return () if found is None else (msgspec.structs.replace(found, created=self._named(found, source)),)

    def made_again(self, source: Source) -> Use | None:
        """The line of whoever uses the other variable, where that line has made it as well as the source.

        Then no copy of a model is used by mistake: each call of that function makes another variable.
        """
        places, found = self._places, self._counterparts.get(source.tensor)
        made = next(iter(self._lineage.makers(found.tensor)), None) if found is not None else None
        own = next(iter(self._lineage.makers(source.tensor)), None)
        if found is None or made is None or own is None or made.index < self._opened:
            return None
        uses = follow(self._lineage, found.tensor, self._opened, self._question.event)
        into = next((event for event in uses.events if places.ancestors & {*event.outputs}), None)
        used = places.at(into.place) if into is not None else None
        before = {frame.location for frame in places.chain(own.place)}
        for frame in places.chain(made.place) if used is not None else ():
            at = frame.location
            if used is not None and (at.file, at.function) == (used.file, used.function) and at in before:
                return Use(how="made-again", location=at, other=self._named(found, source))
        return None

    @functools.cached_property
    def _counterparts(self) -> dict[int, Variable]:
        return counterparts(self._question.sources, self.unasked, self._alike)

    def _alike(self, source: Source, other: Variable) -> bool:
        """Return whether two variables could be the same weight of two copies of a model.

        A name that nobody gave tells nothing: then both must have been made by the same line.
        """
        if not same_kind(source, other):
            return False
        name = bare(source.name)
        if name in self._lineage.rules.unnamed:
            made = self._places.made(source.tensor)
            return made is not None and made == self._places.made(other.tensor)
        return name == bare(other.name)

    @functools.cached_property
    def unasked(self) -> list[Variable]:
        """The trainable variables that went into the target since the recorder was opened, and that nobody asked about.

        What only trained them, in an earlier step, is an ancestor of the target as well: no copy that is used instead.
        """
        known, asked = self._lineage.rules.variables, set(self._question.all_sources)
        free = [known[t] for t in sorted(self._places.ancestors & self.read) if t in known and t not in asked]
        return [variable for variable in free if variable.trainable]

    @functools.cached_property
    def read(self) -> set[int]:
        """What operations under the recorder took that led to the target, of variables their handles."""
        taken: set[int] = set()
        for event in self._lineage.journal.events(self._opened, self._question.event):
            if event.kind <= j.RECORDED and self._places.ancestors & {*event.outputs}:
                taken.update(inputs_of(event))
        return taken

    def _named(self, variable: Variable, source: Source) -> Location | None:
        """Where the copy that a variable belongs to was made by whoever wanted it: not in the function that builds.

        Lines that have made the `source` as well do not tell the two apart.
        """
        sources, lineage = self._flow.sources, self._lineage
        own = {
            frame.location for event in lineage.makers(source.tensor)[:1] for frame in self._places.chain(event.place)
        }
        for event in lineage.makers(variable.tensor)[:1]:
            chain = self._places.chain(event.place)
            for frame in [frame for frame in chain if frame.location not in own] or chain:
                called = self._flow.called(frame.location)
                if called is not None:
                    return called
                if not isinstance(sources.statement(frame.location), ast.Return):
                    return frame.location
        return self._places.made(variable.tensor)

    @functools.cached_property
    def calls(self) -> tuple[Location, ...]:
        """The user's calls within which the variables that nobody asked about first went into the target."""
        found: dict[Location, None] = {}
        for variable in self.unasked:
            uses = follow(self._lineage, variable.tensor, self._opened, self._question.event)
            into = next((event for event in uses.events if self._places.ancestors & {*event.outputs}), None)
            if into is not None:
                found.update(dict.fromkeys(frame.location for frame in self._places.chain(into.place)))
        return tuple(found)

    def used(self, variable: Variable) -> Location | None:
        """Where a variable that was there before the recorder first went into the target; None for one made since."""
        rows = [event.index for event in self._lineage.makers(variable.tensor)]
        if rows and rows[0] >= self._opened:
            return None
        places, uses = self._places, follow(self._lineage, variable.tensor, self._opened, self._question.event)
        into = [event for event in uses.events if places.ancestors & {*event.outputs}]
        return own_line(places.chain(into[0].place), places.asked) if into else None
