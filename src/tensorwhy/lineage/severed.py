"""What is to be said of a source whose value never reached the target: no path, so no break on it."""

from __future__ import annotations

import ast
import functools
import itertools
import sys
from collections.abc import Sequence

import msgspec

from tensorwhy.lineage.counterparts import bare, counterparts, same_kind
from tensorwhy.lineage.dataflow import Dataflow
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.kernel_reads import inputs_of
from tensorwhy.lineage.places import Places, own_line
from tensorwhy.lineage.search import search
from tensorwhy.lineage.unconnected import Trail, entries, follow, left_and_came_back
from tensorwhy.lineage.untaken import comes_later, idle_loop, names_at, untaken_branch
from tensorwhy.lineage.uses import Uses
from tensorwhy.model.facts.gradient import Gap, GradientBreak, Use
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.recording.sources import walked

_DEPTH = 32
"""So many operations of a dataset are followed: `shuffle`, `batch`, `map`."""


class Severed:
    """Answers for the sources of one question.

    From the row `gap` on something may have been left out of the journal: only before it does what nobody made come
    from outside. The same for tensors between two ids of `left_out`.
    """

    def __init__(
        self,
        lineage: Lineage,
        question: GradientQuestion,
        places: Places,
        flow: Dataflow,
        gap: int | None,
        left_out: Sequence[tuple[int, int]],
    ) -> None:
        self._lineage = lineage
        self._question = question
        self._places = places
        self._flow = flow
        self._gap = gap
        self._left_out = left_out
        self._opened = places.recorder.created if places.recorder is not None else 0

    @functools.cached_property
    def _came(self) -> list[Event]:
        return entries(self._lineage, self._question.targets, self._question.event)

    @functools.cached_property
    def uses(self) -> Uses:
        return Uses(self._lineage, self._question, self._places, self._opened)

    def explain(
        self, source: Source, kept_out: bool = False, before: int | None = None, restored: Event | None = None
    ) -> GradientBreak:
        """Where the value left the framework, the branch that would have used it, or where it came to an end.

        `kept_out`: it did reach the target, but on purpose without a gradient, so that this is no way to be repaired.
        `before`: it did so in earlier steps, by which other variables were trained, and which begin at this row.
        `restored`: the row that set another variable from a vector that held both, and this one as well.
        """
        lineage, question, places = self._lineage, self._question, self._places
        unseen = self._unseen(source)
        if unseen is not None and before is None:
            used = self._first_use(unseen) or question.location
            gap = Gap(used=used, rested=self._gap != 0)
            return places.fact("unexplained", source, gap=gap, exact=False)
        trail = follow(lineage, source.tensor, self._opened, question.event)
        earlier = not trail.events
        if earlier:
            trail = follow(lineage, source.tensor, 0, question.event if before is None else before)
        use = self.uses.packed(source, trail, restored) if restored is not None else None
        use = use or self.uses.shared_call(source) or self.uses.added_loss(trail)
        if use is not None:
            return places.fact("unused", source, location=use.location, use=use)
        fed = None if kept_out else self._fed(source, trail)
        left = None if kept_out or fed else left_and_came_back(lineage, trail, self._came, self._flow)
        if left is not None:
            restored = self.uses.restored(source, self.uses.from_outside())
            use = self.uses.packed(source, trail, restored) if restored is not None else None
            if use is not None:
                return places.fact("unused", source, location=use.location, use=use)
            entry = places.at(left.entry.place)
            stored = self._stored(left.entry)
            if stored is not None:
                return places.fact("state", source, location=stored, exit=left.exit, exact=False)
            return places.fact("left-framework", source, location=left.exit, entry=entry, exact=False)
        if fed is not None:
            return fed
        shape = None if kept_out else self._shape_alone(trail)
        if shape is not None:
            op, location = lineage.op_name(shape), places.at(shape.place)
            return places.fact("index-input", source, op=op, role="own shape", location=location)
        call = self._through_gradient(trail)
        use = self.uses.shape(trail) if call is None else None
        if use is not None:
            return places.fact("unused", source, location=use.location, use=use)
        last = trail.events[-1] if trail.events else None
        untaken = self._untaken(source, last) if call is None else None
        # A network of which the first gradient depends on some variables is not one that another copy stands for.
        partly = call is not None and question.asked > len(question.sources)
        instead = () if partly else self._instead(source)
        location = self._last_trace(source, trail)
        without_any = location is not None and location == self._without_any
        if earlier and source.variable and untaken is None and not instead and call is None and not without_any:
            use = self.uses.earlier(trail, location)
        if without_any and location is not None:
            use = Use(how="none-asked", location=location)
        use = use or self.uses.component(source)
        again = (
            self.uses.again(source)
            if use is None and not trail.events and not source.variable and untaken is None
            else None
        )
        use = again or use
        location = use.location if use is not None else location
        return places.fact(
            "unused" if untaken is None else "untaken-branch",
            source,
            location=location,
            use=use,
            within_gradient=call is not None,
            gradient_of=places.at(call) if call is not None else None,
            instead=instead,
            unasked=self._used_instead,
            entry=self._used(instead[0]) if instead else None,
            python=self._python() if source.variable and source.trainable else None,
            untaken=untaken,
            exact=unseen is None,
        )

    def is_state(self, source: Source) -> bool:
        """True if a step that was asked about trained variables, too, has updated this one itself: a moving average.

        That its old value goes into an operation that then gives the new one is no way for a gradient.
        """
        question, rules = self._question, self._lineage.rules
        if not source.variable or source.trainable is not False or question.asked == len(question.sources):
            return False
        rows = self._lineage.journal.events(self._opened, question.event)
        return any(
            event.kind <= j.RECORDED
            and event.inputs[:1] == (source.tensor,)
            and self._lineage.op_name(event) in rules.assigning
            for event in rows
        )

    def used_otherwise(self, source: Source) -> bool:
        """Return whether the recorder saw the source used, or another copy of what it belongs to made the target."""
        seen = follow(self._lineage, source.tensor, self._opened, self._question.event)
        return bool(seen.events) or bool(self._instead(source))

    def _stored(self, entry: Event) -> Location | None:
        """Where an array went into a variable just as it came back: the two are one copy (`set_weights`)."""
        lineage, known = self._lineage, self._lineage.rules.variables
        for event in lineage.journal.events(entry.index, self._question.event) if entry.outputs else ():
            if event.kind <= j.RECORDED and entry.outputs[0] in event.inputs:
                name = lineage.op_name(event)
                stores = name in lineage.rules.storing and event.inputs[0] in known
                return self._places.at(event.place) if stores else None
        return None

    def target_left(self, source: Source) -> GradientBreak:
        """The target is no tensor any more: where what was computed from the source became an array or number."""
        question = self._question
        trail = follow(self._lineage, source.tensor, self._opened, question.event)
        asked = Event(question.event, j.QUESTION, 0, 0, question.place, (), (), ())
        left = left_and_came_back(self._lineage, trail, [asked], self._flow)
        location = left.exit if left else question.location
        return self._places.fact("left-framework", source, location=location, exact=left is not None)

    def _fed(self, source: Source, trail: Trail) -> GradientBreak | None:
        """A function of a dataset computes with the source, or its value is in the elements that the target is made of.

        The function runs when an element is taken, on threads of its own, and all that comes out is new.
        """
        lineage, places = self._lineage, self._places
        feeds = (event for event in trail.events if lineage.op_name(event) in lineage.rules.feeding)
        feed = next((event for event in feeds if event.inputs[-1] in places.ancestors), None)
        if feed is None:
            return None
        rules = lineage.rules
        inside = [event for event in trail.events if event.kind == j.GRAPH_OP and event.outputs]
        used = [event for event in inside if lineage.op_name(event) not in (*rules.reading, *rules.copying)]
        around = {frame.location for event in trail.events if event.kind == j.OP for frame in places.chain(event.place)}
        for event in used:
            chain = [frame.location for frame in places.chain(event.place)]
            own = list(itertools.takewhile(lambda place: place not in around, chain))
            if own and len(own) < len(chain):  # traced by the call that made the dataset
                return places.fact("not-recorded", source, location=own[-1], region="dataset")
        held = self._held(feed, trail)
        if held is None:
            return None
        return places.fact("not-recorded", source, location=held, region="dataset", role="elements")

    def _held(self, feed: Event, trail: Trail) -> Location | None:
        """Where what an iterator gives was put into its dataset, as a value."""
        tensor = feed.inputs[0]
        for _ in range(_DEPTH):
            maker = next(iter(self._lineage.makers(tensor)), None)
            given = [value for value in maker.inputs if value in trail.tensors] if maker is not None else []
            if maker is None or not given:
                return None
            if self._lineage.rules.dtypes.get(self._lineage.dtype.get(given[0]) or 0) != "variant":
                return self._places.at(maker.place)
            tensor = given[0]
        return None

    def _python(self) -> Location | None:
        """The last Python function that gave what the target is made of, where no variable had a part in that."""
        lineage, ancestors = self._lineage, self._places.ancestors
        if ancestors & {*lineage.rules.variables}:
            return None
        rows = self._lineage.journal.events(self._opened, self._question.event)
        called = [
            event
            for event in rows
            if event.kind <= j.GRAPH_OP
            and lineage.op_name(event) in lineage.rules.callbacks
            and ancestors & {*event.outputs}
        ]
        return self._places.at(called[-1].place) if called else None

    def _unseen(self, source: Source) -> int | None:
        """The youngest tensor that may come from the source without that anybody saw it.

        Ids only grow: what nobody saw being made can come from the source only if it is the younger of the two.

        And it was made while something was left out only if it is younger than all that was made before that.
        """
        lineage, gap = self._lineage, self._gap
        if gap is None and not self._left_out:
            return None  # everything was seen
        youngest = sys.maxsize if gap is None else lineage.youngest(gap)
        unseen = (
            tensor
            for tensor in self._places.ancestors
            if tensor > source.tensor
            and (tensor > youngest or any(first < tensor < last for first, last in self._left_out))
            and not lineage.makers(tensor)
            and tensor not in lineage.rules.variables
        )
        return max(unseen, default=None)

    def _first_use(self, tensor: int) -> Location | None:
        """The line at which a tensor first goes into the target."""
        ancestors = self._places.ancestors
        made = (event for other in ancestors for event in self._lineage.makers(other) if tensor in event.inputs)
        first = min(made, key=lambda event: event.index, default=None)
        return own_line(self._places.chain(first.place), self._places.asked) if first is not None else None

    def _untaken(self, source: Source, last: Event | None) -> Location | None:
        """A branch or loop that uses the source, where nothing ran between the recorder's opening and the question."""
        places = self._places
        made = places.made(source.tensor)
        around = {
            frame.location for event in self._lineage.makers(source.tensor) for frame in places.chain(event.place)
        }
        around -= {frame.location for frame in places.asked}  # calls that have bound nothing yet
        own = names_at(self._flow.sources, made)
        names = own.union(*(names_at(self._flow.sources, location) for location in around))
        ran = self._ran
        results = self._results(last) if last is not None and source.trainable is not False else frozenset()
        # Its own name says more than that of the object which it is a part of, and both more than that of a result.
        asked = [frame.location for frame in places.asked]
        opened = (
            [frame.location for frame in places.chain(places.recorder.opened)] if places.recorder is not None else []
        )
        later = functools.partial(comes_later, self._flow.sources, asked=asked, opened=opened)
        found = untaken_branch(self._flow.sources, ran, own, later=later) if own else None
        if found is None and (names or results):
            found = untaken_branch(self._flow.sources, ran, names, results, later)
        # A loop that the question stands in has run.
        loop = idle_loop(self._flow.sources, {*ran, *asked}, names, opened) if found is None else None
        return loop if loop is not None and not later(loop) else found

    @functools.cached_property
    def _ran(self) -> set[Location]:
        """The lines at which something ran between the opening of the recorder and the question."""
        met = {event.place for event in self._lineage.journal.events(self._opened, self._question.event)}
        return {frame.location for place in met for frame in self._places.chain(place)}

    def _results(self, last: Event) -> frozenset[str]:
        """What the last thing computed from a source is called, by names that its function binds once."""
        sources, asked = self._flow.sources, {frame.location for frame in self._places.asked}
        found: set[str] = set()
        for location in {frame.location for frame in self._places.chain(last.place)} - asked:
            scope = sources.function(location) or sources.tree(location.file)
            bound = [
                node.id
                for node in (walked(scope) if scope is not None else ())
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
            ]
            found |= {name for name in names_at(sources, location) if bound.count(name) == 1}
        return frozenset(found)

    def _last_trace(self, source: Source, trail: Trail) -> Location | None:
        """Where to look for what is missing.

        A source that nothing used: where it was made. A result that nothing read: there. A target that uses none of the
        sources: where the target was made. A part of a model whose result went nowhere: where it was put there. Else
        the place after which nothing of the source goes on.
        """
        places, question = self._places, self._question
        last = trail.events[-1] if trail.events else None
        if last is None:
            return (self._without_any or places.made(source.tensor)) if source.variable else None
        dropped, place = self._dropped(last), places.dead_end(last)
        if dropped is not None and dropped != question.location:
            return dropped
        if self._unread(place):
            return place
        kept = self._never_returned(trail, place)
        if kept is not None:
            return kept
        if self._without_any is not None:
            return self._without_any
        if source.variable and place == question.location:
            # What the asker itself does with it (an optimizer's slots) says nothing.
            return self._last_part(trail) or places.made(source.tensor) or place
        return place

    @functools.cached_property
    def _without_any(self) -> Location | None:
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

    def _shape_alone(self, trail: Trail) -> Event | None:
        """The operation by which a target that is made of nothing else got the shape of a source as its value."""
        lineage, question = self._lineage, self._question
        if self._places.ancestors & {*lineage.rules.variables, *question.all_sources}:
            return None
        ways = search(lineage, question.recorder, question.targets, question.event, stops=question.stops)
        for event in lineage.journal.events(self._opened, question.event):
            reads = event.kind <= j.GRAPH_OP and lineage.op_name(event) in lineage.rules.shape_only
            if reads and trail.tensors & {*event.inputs} and self._places.ancestors & {*event.outputs}:
                steps = ways.path(event.outputs[0]) or []
                if not any(lost.kind == "index-input" for step in steps for lost in step.lost):
                    return event
        return None

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
        whole = (value.lineno, value.col_offset, value.end_lineno, value.end_col_offset)
        # An inner call of the statement hands its result to the outer one.
        own = whole == (place.line, place.column, place.end_line, place.end_column) or not any(
            isinstance(node, ast.Call) and node is not value for node in ast.walk(value)
        )
        return place if own and isinstance(value, (ast.Call, ast.BinOp)) else None

    def _instead(self, source: Source) -> tuple[Variable, ...]:
        """A variable that the target does depend on in place of this one, and that nobody asked about."""
        found = self._counterparts.get(source.tensor)
        return () if found is None else (msgspec.structs.replace(found, created=self._named(found, source)),)

    @functools.cached_property
    def _counterparts(self) -> dict[int, Variable]:
        return counterparts(self._question.sources, self._unasked, self._alike)

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
    def _unasked(self) -> list[Variable]:
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
    def _used_instead(self) -> tuple[Location, ...]:
        """The user's calls within which the variables that nobody asked about first went into the target."""
        found: dict[Location, None] = {}
        for variable in self._unasked:
            uses = follow(self._lineage, variable.tensor, self._opened, self._question.event)
            into = next((event for event in uses.events if self._places.ancestors & {*event.outputs}), None)
            if into is not None:
                found.update(dict.fromkeys(frame.location for frame in self._places.chain(into.place)))
        return tuple(found)

    def _used(self, variable: Variable) -> Location | None:
        """Where a variable that was there before the recorder first went into the target; None for one made since."""
        rows = [event.index for event in self._lineage.makers(variable.tensor)]
        if rows and rows[0] >= self._opened:
            return None
        places, uses = self._places, follow(self._lineage, variable.tensor, self._opened, self._question.event)
        into = [event for event in uses.events if places.ancestors & {*event.outputs}]
        return own_line(places.chain(into[0].place), places.asked) if into else None

    def _through_gradient(self, trail: Trail) -> int | None:
        """The place of a gradient call whose result the target is made of, for a function of the source."""
        if not trail.events or self._places.recorder is None:
            return None
        since = max(trail.events[0].index, self._opened)
        made = [event for t in self._places.ancestors for event in self._lineage.makers(t) if event.index > since]
        return self._places.gradient_call(made)
