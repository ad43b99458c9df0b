"""Why a gradient is None: the breaks of one question, each as a fact with its places."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping

import msgspec

from tensorwhy.lineage.dataflow import Dataflow
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.lineage.search import Lost, Search, Step
from tensorwhy.lineage.timeline import Tape
from tensorwhy.lineage.unconnected import Trail, entries, follow, left_and_came_back
from tensorwhy.lineage.untaken import names_at, untaken_branch
from tensorwhy.model.facts.gradient import BreakKind, GradientBreak
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source, Variable
from tensorwhy.model.report import PathStep
from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event, Frame


class Explainer:
    """Finds the breaks of one gradient question, source by source.

    `returned` tells, for the rows of custom gradients, where the user's function returns them. `complete` says that
    nothing was left out of the journal: only then does a tensor that nobody made come from outside.
    """

    def __init__(
        self,
        lineage: Lineage,
        question: GradientQuestion,
        flow: Dataflow,
        returned: Mapping[int, Location] | None = None,
        complete: bool = True,
    ) -> None:
        self._lineage = lineage
        self._question = question
        self._tape = lineage.timeline.tapes.get(question.tape)
        self._prediction = Prediction(lineage, question)
        self._tracked = self._prediction.replay.tracked
        self._asked = lineage.journal.chain(question.place)
        self._flow = flow
        self._returned = returned or {}
        self._complete = complete
        self._search = Search(lineage, question.tape, question.targets, question.event)

    @functools.cached_property
    def _ancestors(self) -> set[int]:
        return self._lineage.ancestors(self._question.targets, self._question.event)

    @functools.cached_property
    def _came(self) -> list[Event]:
        return entries(self._lineage, self._question.targets, self._question.event)

    def refused(self) -> tuple[GradientBreak, ...]:
        """Why the question ended in an exception: what was no tensor, or which operations have no gradient at all."""
        question = self._question
        arrays = tuple(
            self._fact("not-watched", source, (), location=source.made, source_made=source.made, watched="never")
            for source in question.sources
            if source.tensor < 0
        )
        if arrays:
            return arrays
        if all(target < 0 for target in question.targets):
            return (self._target_left(question.sources[0]),)
        return tuple(self._without_gradient(question.sources[0]))

    def _without_gradient(self, source: Source) -> Iterator[GradientBreak]:
        """The operations behind the targets that the tape recorded, and for which no gradient is registered."""
        tensors, rows = set(self._question.targets), set()
        stack = list(tensors)
        while stack:
            tensor = stack.pop()
            for edge in self._lineage.edges(tensor, self._question.event):
                row = edge.event.index
                if row not in self._prediction.replay.recorded or edge.source < 0:
                    continue
                if edge.loss == "unregistered" and row not in rows:
                    rows.add(row)
                    yield self._at_step(source, Lost("unregistered"), Step(edge.source, tensor, edge, ()), None, ())
                elif not edge.loss and edge.source not in tensors:
                    tensors.add(edge.source)
                    stack.append(edge.source)

    def breaks(self, source: Source) -> tuple[GradientBreak, ...]:
        """A smallest set of breaks for one source, ordered from the source to the target. Never empty."""
        steps = self._search.path(source.tensor)
        if steps is None:
            lost = self._without_path(source)
            return (
                msgspec.structs.replace(lost, kind="callback", op="EagerPyFunc")
                if self._question.in_callback
                else lost,
            )
        path = self._path(steps)
        copied = self._copied(source, steps, path)
        if copied is not None:
            return (copied,)
        found = list(self._at_source(source, steps, path))
        found += self._on_path(source, steps, path)
        if self._question.in_callback:
            found = [msgspec.structs.replace(fact, kind="callback", op="EagerPyFunc") for fact in found]
        if not found:
            found.append(self._fact("unexplained", source, path, exact=False))
        if self._expected(source):
            found = [msgspec.structs.replace(fact, exact=False) for fact in found]
        return tuple(found)

    def _expected(self, source: Source) -> bool:
        """Whether by the tape's rules there should have been a gradient: then what is known here is not everything."""
        return not self._question.error and self._prediction.arrives(source.tensor)

    # -- the source ----------------------------------------------------------------------------------------------

    def _at_source(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> Iterator[GradientBreak]:
        if not source.differentiable_dtype:
            place = next((self._lineage.journal.location(e.place) for e in self._lineage.makers(source.tensor)), None)
            yield self._fact("dtype", source, path, location=place, dtypes=(source.dtype, ""))
            return
        tape = self._tape
        tracked = self._tracked.get(source.tensor)
        first_use = steps[0].edge.event.index if steps else self._question.event
        if tracked is not None and tracked <= first_use:
            return
        if tracked is not None and steps and any(lost.kind == "outside-tape" for lost in steps[0].lost):
            return  # it was watched from the beginning of the tape on: what came before is told by its own break
        if source.variable and source.trainable and (tape is None or tape.auto_watch):
            return  # the tape watches it as soon as it is read while the tape is open
        overwritten = self._overwritten(source)
        watched_at = self._lineage.journal.event(tracked) if tracked is not None else None
        yield self._fact(
            "not-watched",
            source,
            path,
            location=self._made(source.tensor),
            watched="never" if watched_at is None else "late",
            watched_at=self._lineage.journal.location(watched_at.place) if watched_at else None,
            auto_watch=tape.auto_watch if tape else True,
            source_op=self._made_by(source.tensor),
            rebound=overwritten[0] if overwritten else None,
            was=overwritten[1] if overwritten else None,
        )

    def _overwritten(self, source: Source) -> tuple[Location, Variable] | None:
        """For a plain tensor that took over the name of a trainable variable it was computed from: where, and which."""
        if source.variable:
            return None
        made = next((self._lineage.journal.location(e.place) for e in self._lineage.makers(source.tensor)), None)
        if made is None:
            return None
        known = self._lineage.rules.variables
        for tensor in sorted(self._lineage.ancestors((source.tensor,), self._question.event)):
            if tensor in known and known[tensor].trainable:
                created = self._made(tensor)
                place = self._flow.binding(made, names_at(self._flow.sources, created))
                if created != made and place is not None:
                    return place, msgspec.structs.replace(known[tensor], created=created)
        return None

    def _copied(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> GradientBreak | None:
        """Another variable was filled with the values of this one, and the target was computed from that one."""
        known = self._lineage.rules.variables
        for step in steps:
            other = step.edge.event.inputs[0] if step.edge.loss == "state" else -1
            if (
                source.variable
                and other != source.tensor
                and other in known
                and known[other].trainable
                and known[other].shape == source.shape
            ):
                read = next(iter(self._lineage.makers(step.made)), step.edge.event)
                return self._fact(
                    "copied",
                    source,
                    path,
                    location=_own_line(self._chain(read.place), self._asked),
                    entry=self._lineage.journal.location(step.edge.event.place),
                    instead=(msgspec.structs.replace(known[other], created=self._made(other)),),
                )
        return None

    # -- no path -------------------------------------------------------------------------------------------------

    def _without_path(self, source: Source) -> GradientBreak:
        """The value of the source never reached the target."""
        lineage, question = self._lineage, self._question
        # Ids only grow: what nobody saw being made can come from the source only if it is the younger of the two.
        if not self._complete and any(
            t > source.tensor and not lineage.makers(t) and t not in lineage.rules.variables for t in self._ancestors
        ):
            return self._fact("unexplained", source, (), exact=False)
        start = self._tape.created if self._tape is not None else 0
        trail = follow(lineage, source.tensor, start, question.event)
        if not trail.events:
            trail = follow(lineage, source.tensor, 0, question.event)
        left = left_and_came_back(lineage, trail, self._came, self._flow)
        if left is not None:
            return self._fact(
                "left-framework",
                source,
                (),
                location=left.exit,
                entry=lineage.journal.location(left.entry.place),
                exact=False,
            )
        call = self._through_gradient(trail)
        last = trail.events[-1] if trail.events else None
        untaken = self._untaken(source, start) if call is None else None
        return self._fact(
            "unused" if untaken is None else "untaken-branch",
            source,
            (),
            location=self._last_trace(source, last),
            within_gradient=call is not None,
            gradient_of=lineage.journal.location(call) if call is not None else None,
            instead=self._instead(source),
            untaken=untaken,
        )

    def _untaken(self, source: Source, start: int) -> Location | None:
        """A branch that uses the source and in which nothing ran between the opening of the tape and the question."""
        journal = self._lineage.journal
        made = {location for location in [self._made(source.tensor)] if location is not None}
        made |= {frame.location for event in self._lineage.makers(source.tensor) for frame in self._chain(event.place)}
        made -= {frame.location for frame in journal.chain(self._question.place)}  # calls that have bound nothing yet
        names = {name for location in made for name in names_at(self._flow.sources, location)}
        places = {event.place for event in journal.events(start, self._question.event)}
        ran = {frame.location for place in places for frame in journal.chain(place)}
        return untaken_branch(self._flow.sources, ran, names) if names else None

    def _last_trace(self, source: Source, last: Event | None) -> Location | None:
        """Where to look for what is missing.

        A source that nothing used: where it was made. A target that uses none of the sources: where the target was
        made. Else the place after which nothing of the source goes on.
        """
        if last is None:
            return self._made(source.tensor) if source.variable else None
        if self._question.asked == len(self._question.sources) > 1 and not self._ancestors & set(
            self._question.all_sources
        ):
            return next((place for place in map(self._made, self._question.targets) if place is not None), None)
        return self._dead_end(last)

    def _dead_end(self, last: Event) -> Location | None:
        """The line after which nothing of the source goes on, seen from the call in which the target's lineage does."""
        later = [
            event
            for tensor in self._ancestors
            for event in self._lineage.makers(tensor)
            if event.index > last.index and event.thread == last.thread
        ]
        beyond = min(later, key=lambda event: event.index, default=None)
        return _beside(self._chain(last.place), self._chain(beyond.place) if beyond is not None else self._asked)

    def _instead(self, source: Source) -> tuple[Variable, ...]:
        """A variable that the target does depend on in place of this one, and that nobody asked about.

        Only a whole other copy counts: every variable that got None must have a counterpart of its own, alike in name
        (but for the numbers that Keras gives) and shape. One pair of like variables happens in any two networks.
        """
        known = self._lineage.rules.variables
        asked = set(self._question.all_sources)
        free = [known[t] for t in sorted(self._ancestors) if t in known and t not in asked and known[t].trainable]
        pairs: dict[int, Variable] = {}
        for each in self._question.sources:
            like = next((other for other in free if _alike(each, other)), None)
            if like is None:
                return ()
            free.remove(like)
            pairs[each.tensor] = like
        found = pairs.get(source.tensor)
        return () if found is None else (msgspec.structs.replace(found, created=self._made(found.tensor)),)

    def _target_left(self, source: Source) -> GradientBreak:
        """The target is no tensor any more: where what was computed from the source became an array or number."""
        question = self._question
        trail = follow(self._lineage, source.tensor, self._tape.created if self._tape else 0, question.event)
        asked = Event(question.event, j.QUESTION, 0, 0, question.place, (), (), ())
        left = left_and_came_back(self._lineage, trail, [asked], self._flow)
        return self._fact(
            "left-framework", source, (), location=left.exit if left else question.location, exact=left is not None
        )

    def _through_gradient(self, trail: Trail) -> int | None:
        """The place of a gradient call whose result the target is made of, for a function of the source."""
        if not trail.events or self._tape is None:
            return None
        since = max(trail.events[0].index, self._tape.created)
        made = [event for t in self._ancestors for event in self._lineage.makers(t) if event.index > since]
        return self._gradient_call(made)

    def _gradient_call(self, events: list[Event]) -> int | None:
        """The place of an earlier gradient call that wrote one of these rows."""
        for event in events:
            place = self._lineage.timeline.gradient_call(event.index, event.thread)
            if place is not None and event.index < self._question.event:
                return place
        return None

    # -- the path ------------------------------------------------------------------------------------------------

    def _on_path(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> Iterator[GradientBreak]:
        open_run: list[Step] = []
        run: Lost | None = None
        for index, step in enumerate([*steps, None]):
            outside = next((lost for lost in step.lost if lost.kind == "outside-tape"), None) if step else None
            if run is not None and outside != run:
                yield self._outside(source, run, open_run, path)
                open_run, run = [], None
            if step is None:
                break
            if outside is not None:
                open_run.append(step)
                run = outside
            inside = step.edge.inside or (step,)
            for position, inner in enumerate(inside):
                earlier = inside[position - 1] if position else steps[index - 1] if index else None
                for lost in inner.lost:
                    if lost.kind != "outside-tape" and (lost.kind != "dtype" or source.differentiable_dtype):
                        yield self._at_step(source, lost, inner, earlier, path)

    def _outside(self, source: Source, lost: Lost, run: list[Step], path: tuple[PathStep, ...]) -> GradientBreak:
        """Neighbouring operations that the tape did not record, seen from the scope in which the tape was opened."""
        tape = self._tape
        opened = self._chain(tape.opened) if tape else ()
        location = _own_line(self._chain(run[0].edge.event.place), opened)
        last = _own_line(self._chain(run[-1].edge.event.place), opened)
        closed = -1
        if tape is not None and lost.region in ("after", "between", "paused"):
            before = [s for s in tape.spans if s.end is not None and s.end <= run[0].edge.event.index]
            closed = before[-1].closed if before else -1
            if not before:
                closed = self._lineage.timeline.paused(run[0].edge.event.index, run[0].edge.event.thread) or -1
        return self._fact(
            "outside-tape",
            source,
            path,
            op=run[0].edge.op,
            location=location,
            last=last if last != location else None,
            region=lost.region,
            tape_closed=self._lineage.journal.location(closed),
        )

    def _at_step(
        self, source: Source, lost: Lost, step: Step, before_it: Step | None, path: tuple[PathStep, ...]
    ) -> GradientBreak:
        lineage = self._lineage
        names = lineage.rules.dtypes
        before, after = lineage.dtype.get(step.source), lineage.dtype.get(step.made)
        call = self._gradient_call([step.edge.event])
        location = self._forward_of(step) or lineage.journal.location(step.edge.event.place)
        if lost.kind == "custom-gradient":
            location = self._returned.get(step.edge.event.index, location)
            if step.edge.role == "closure" and before_it is not None:
                location = lineage.journal.location(before_it.edge.event.place) or location
        kind: BreakKind = "left-framework" if lost.kind == "left" else lost.kind  # type: ignore[assignment]
        return self._fact(
            kind,
            source,
            path,
            op=step.edge.op,
            role=step.edge.role,
            location=location,
            dtypes=(names.get(before or 0, ""), names.get(after or 0, "")),
            container=step.edge.container,
            within_gradient=call is not None,
            gradient_of=lineage.journal.location(call) if call is not None else None,
        )

    def _forward_of(self, step: Step) -> Location | None:
        """For an operation of another gradient (`TanhGrad`): the line of the operation that it is the gradient of."""
        event = step.edge.event
        if not step.edge.op.endswith("Grad") or self._gradient_call([event]) is None:
            return None
        wanted = step.edge.op.removesuffix("Grad")
        shared = set(event.inputs)
        for tensor in event.inputs:
            for maker in self._lineage.makers(tensor):
                if self._lineage.op_name(maker) == wanted:
                    return self._lineage.journal.location(maker.place)
        for tensor in self._ancestors:
            for maker in self._lineage.makers(tensor):
                if self._lineage.op_name(maker) == wanted and shared & set(maker.inputs):
                    return self._lineage.journal.location(maker.place)
        return None

    def _path(self, steps: list[Step]) -> tuple[PathStep, ...]:
        return tuple(
            PathStep(
                op=step.edge.op,
                location=self._lineage.journal.location(step.edge.event.place),
                connected=not step.lost,
            )
            for step in steps
        )

    # -- places --------------------------------------------------------------------------------------------------

    def _chain(self, place: int) -> tuple[Frame, ...]:
        return self._lineage.journal.chain(place)

    def _made(self, tensor: int) -> Location | None:
        """Where a tensor or variable was made, as seen from the scope in which the gradient was asked for."""
        known = self._lineage.rules.variables.get(tensor)
        if known is not None and known.created is not None:
            return known.created
        for event in self._lineage.makers(tensor):
            if known is not None:
                return self._lineage.journal.location(event.place)
            location = _beside(self._chain(event.place), self._asked)
            if location is not None:
                return location
        return None

    def _made_by(self, tensor: int) -> str:
        for event in self._lineage.makers(tensor):
            return "" if event.kind == j.ENTRY else self._lineage.op_name(event)
        return ""

    def _fact(self, kind: BreakKind, source: Source, path: tuple[PathStep, ...], **fields: object) -> GradientBreak:
        tape: Tape | None = self._tape
        made = self._made(source.tensor)
        target = next((loc for loc in map(self._made, self._question.targets) if loc is not None), None)
        base: dict[str, object] = {
            "kind": kind,
            "question": self._question,
            "sources": (source,),
            "path": path,
            "tape_opened": self._lineage.journal.location(tape.opened) if tape else None,
            "persistent": tape.persistent if tape else False,
            "auto_watch": tape.auto_watch if tape else True,
            "source_made": made,
            "target_made": target,
        }
        return GradientBreak(**{**base, **fields})  # type: ignore[arg-type]


def _shared(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> int:
    """How many outermost frames two call stacks share, and stand at the same instruction in."""
    count = 0
    for mine, theirs in zip(reversed(chain), reversed(other)):
        if mine.location != theirs.location:
            break
        count += 1
    return count


def _beside(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> Location | None:
    """Where `chain` stands in the outermost frame that is not at the same place in `other`.

    Seen from the call that both have in common, this is the user's line that led to the inner frames of `chain`.
    """
    index = len(chain) - 1 - _shared(chain, other)
    return chain[max(index, 0)].location if chain else None


def _own_line(chain: tuple[Frame, ...], other: tuple[Frame, ...]) -> Location | None:
    """The innermost line that the user's code reached by its own calls, from the scope shared with `other` on.

    A layer's `call` that Keras called is not it; the line that called the layer is.
    """
    index = len(chain) - 1 - _shared(chain, other)
    while index > 0 and chain[index - 1].direct:
        index -= 1
    return chain[max(index, 0)].location if chain else None


def _alike(source: Source, other: Variable) -> bool:
    """Whether two variables could be the same weight of two copies of a model."""
    return (
        source.variable
        and (source.shape, source.dtype) == (other.shape, other.dtype)
        and re.sub(r"_\d+", "", source.name) == re.sub(r"_\d+", "", other.name)
    )
