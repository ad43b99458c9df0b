"""What is to be said of a source whose value never reached the target: no path, so no break on it."""

from __future__ import annotations

import ast
import functools
import itertools
import sys
from collections.abc import Sequence

from tensorwhy.lineage.ends import Ends
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.instead import Instead
from tensorwhy.lineage.places import Places, own_line
from tensorwhy.lineage.search import search
from tensorwhy.lineage.unconnected import Trail, entries, follow, left_and_came_back
from tensorwhy.lineage.untaken import comes_later, idle_loop, names_at, untaken_branch
from tensorwhy.lineage.uses import Uses
from tensorwhy.model.facts.gradient import Gap, GradientBreak, Use
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event
from tensorwhy.source.dataflow import Dataflow
from tensorwhy.source.files import walked

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
        self._opened = max(places.recorder.created if places.recorder is not None else 0, question.since)
        self._ends = Ends(lineage, question, places, flow)
        self.instead = Instead(lineage, question, places, flow, self._opened)

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
        instead = () if partly else self.instead.of(source)
        location = self._ends.last_trace(source, trail)
        without_any = location is not None and location == self._ends.without_any
        if earlier and source.variable and untaken is None and not instead and call is None and not without_any:
            use = self.uses.earlier(trail, location)
        if without_any and location is not None:
            use = Use(how="none-asked", location=location)
        anew = self.instead.made_again(source) if instead else None
        use = anew or use or self.uses.component(source)
        again = (
            self.uses.again(source)
            if use is None and not trail.events and not source.variable and untaken is None
            else None
        )
        use = again or use
        if use is None and untaken is None and not trail.events:
            use = self.uses.derived(source)
        location = use.location if use is not None else location
        return places.fact(
            "unused" if untaken is None else "untaken-branch",
            source,
            location=location,
            use=use,
            within_gradient=call is not None,
            gradient_of=places.at(call) if call is not None else None,
            by_hand=self._by_hand(trail) if call is not None else None,
            instead=instead,
            unasked=self.instead.calls,
            entry=self.instead.used(instead[0]) if instead else None,
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
        return bool(seen.events) or bool(self.instead.of(source))

    def _by_hand(self, trail: Trail) -> Location | None:
        """Where the source went into a call that has a backward function of its own."""
        lineage = self._lineage
        own = [event for event in trail.events if event.kind == j.RECORDED]
        names = (lineage.journal.names[event.name] for event in own)
        found = (event for event, name in zip(own, names) if name not in lineage.rules.functions)
        return next((self._places.at(event.place) for event in found), None)

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

    def _through_gradient(self, trail: Trail) -> int | None:
        """The place of a gradient call whose result the target is made of, for a function of the source."""
        if not trail.events or self._places.recorder is None:
            return None
        since = max(trail.events[0].index, self._opened)
        made = [event for t in self._places.ancestors for event in self._lineage.makers(t) if event.index > since]
        return self._places.gradient_call(made)
