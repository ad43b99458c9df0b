"""Why a gradient is None: the breaks of one question, each as a fact."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping, Sequence

import msgspec

from tensorwhy.lineage.copies import Copies
from tensorwhy.lineage.elements import turned
from tensorwhy.lineage.gates import of_break
from tensorwhy.lineage.graph import Lineage
from tensorwhy.lineage.inexact import classes
from tensorwhy.lineage.places import Places
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.lineage.runs import Runs
from tensorwhy.lineage.severed import Severed
from tensorwhy.lineage.steps import Lost, Step, unfolded
from tensorwhy.lineage.taken_over import taken_over
from tensorwhy.lineage.together import ways
from tensorwhy.lineage.untaken import names_at
from tensorwhy.model.facts.gradient import BreakKind, GradientBreak, Made, OtherRecorder
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import PathStep
from tensorwhy.recording import journal as j
from tensorwhy.source.dataflow import Dataflow

_IN_PARTS = ("no-gradient", "unregistered", "index-input", "dtype", "stop-gradient")
"""Breaks at operations that a ready-made part of a model may consist of."""


class Explainer:
    """Finds the breaks of one gradient question, source by source.

    `returned` tells, for the rows of custom gradients, where the user's function returns them. From the row `gap` on
    something may have been left out of the journal: only before it does a tensor that nobody made come from outside.
    The same between two ids of `left_out`.
    """

    def __init__(
        self,
        lineage: Lineage,
        question: GradientQuestion,
        flow: Dataflow,
        returned: Mapping[int, Location] | None = None,
        gap: int | None = None,
        left_out: Sequence[tuple[int, int]] = (),
    ) -> None:
        self._lineage = lineage
        self._question = question
        self._prediction = Prediction(lineage, question)
        self._tracked = self._prediction.replay.tracked
        self._flow = flow
        self._returned = returned or {}
        self._places = Places(lineage, question)
        self._severed = Severed(lineage, question, self._places, flow, gap, left_out)
        self._opened = self._places.recorder.created if self._places.recorder is not None else 0
        self._ways = functools.cache(lambda: ways(lineage, question, [source.tensor for source in question.sources]))
        self._runs = Runs(lineage, self._places, flow, self._ways)
        self._copies = Copies(lineage, question, self._places, self._opened, self._ways)

    def refused(self) -> tuple[GradientBreak, ...]:
        """Why the question ended in an exception: what was no tensor, or which operations have no gradient at all."""
        question = self._question
        arrays = tuple(
            self._places.fact(
                "not-watched", source, location=source.made, made=Made(source=source.made), watched="never"
            )
            for source in question.sources
            if source.tensor < 0
        )
        if arrays:
            return arrays
        if all(target < 0 for target in question.targets):
            return (self._severed.target_left(question.sources[0]),)
        return tuple(self._without_gradient(question.sources[0]))

    def _without_gradient(self, source: Source) -> Iterator[GradientBreak]:
        """The operations behind the targets that the recorder recorded, and for which no gradient is registered."""
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
        if self._severed.is_state(source):
            return (self._places.fact("unused", source, location=self._places.made(source.tensor)),)
        steps = self._ways()[source.tensor]
        over = {step.edge.event.index: step.edge.event for step in steps or () if step.edge.loss == "state"}
        restored = self._severed.uses.restored(source, over.values())
        before = self._step_before(source, steps) if steps is not None else None
        if restored is not None:
            before = min(recorder.created for recorder in self._lineage.timeline.recorders.values())
        if steps is None or before is not None or _kept_out(steps):
            found = [self._severed.explain(source, steps is not None, before, restored)]
        else:
            path = self._places.path(steps)
            copied = self._copies.explain(source, steps, path)
            if copied is not None:
                return (copied,)
            found = [*self._at_source(source, steps, path), *self._on_path(source, steps, path)]
            found = found or [*self._undone(source, steps, path)]
        if self._question.in_callback:
            found = found[:1] or [self._places.fact("unexplained", source)]
            call = self._places.callback()
            location = call or found[0].location
            op, path, exact = self._lineage.rules.kinds.callback, found[0].path, found[0].exact
            found = [self._places.fact("callback", source, path, op=op, location=location, exact=exact)]
        if not found:
            found.append(self._places.fact("unexplained", source, exact=False))
        found = [self._with_others(fact) if fact.kind == "state" else fact for fact in found]
        way = (steps if restored is None else None) or ()
        if self._expected(source) or classes(self._lineage, self._question, way):
            found = [msgspec.structs.replace(fact, exact=False) for fact in found]
        return tuple(found)

    def _expected(self, source: Source) -> bool:
        """Return whether there should have been a gradient: then what is known here is not everything."""
        return not self._question.error and self._prediction.arrives(source.tensor)

    def _with_others(self, fact: GradientBreak) -> GradientBreak:
        """With the further lines that store what comes from the source: one repair alone brings back a part of it."""
        lineage, source = self._lineage, fact.sources[0].tensor
        tensors, lines = set(self._question.targets), dict[Location | None, None]()
        stack = list(tensors)
        while stack:
            tensor = stack.pop()
            for edge in lineage.edges(tensor, self._question.event):
                stored = edge.loss == "state" and edge.event.index >= self._opened
                if stored and source in lineage.ancestors((edge.source,), edge.event.index):
                    lines[self._places.at(edge.event.place)] = None
                if edge.source >= 0 and edge.source not in tensors:
                    tensors.add(edge.source)
                    stack.append(edge.source)
        others = sorted((line for line in lines if line not in (None, fact.location)), key=lambda line: line.order)
        return msgspec.structs.replace(fact, beside=tuple(others))

    def _step_before(self, source: Source, steps: list[Step]) -> int | None:
        """Where steps begin, if the only way leads through one that was over, and what that stored.

        Each variable of a model has its part in all later values of the others: nobody wants that way back. Nor that
        by way of a network that is trained beside it, where this recorder saw the source, or another copy of it, used;
        nor where it was a copy (a target network) that had its part in such a step, and has none in this target.
        """
        journal, timeline = self._lineage.journal, self._lineage.timeline
        over = [step for step in steps if step.edge.event.index < self._opened]
        calls = [timeline.gradient_call(step.edge.event.index, step.edge.event.thread) for step in over]
        asked = {journal.location(call) for call in calls if call is not None}
        if not asked or not any(step.edge.loss == "state" for step in steps):
            return None
        copy = self._copies.copy(source, steps)
        own = journal.location(self._question.place) in asked or (
            copy is not None and copy not in self._severed.instead.read
        )
        if not own and not self._severed.used_otherwise(source):
            return None
        return min(recorder.created for recorder in timeline.recorders.values())

    # -- the source ----------------------------------------------------------------------------------------------

    def _at_source(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> Iterator[GradientBreak]:
        places, recorder = self._places, self._places.recorder
        if not source.differentiable_dtype:
            place = places.written(source.tensor)
            yield places.fact("dtype", source, path, location=place, dtypes=(source.dtype, ""))
            return
        if not self._question.recorder:
            return
        tracked = self._tracked.get(source.tensor)
        # A function may capture it once more behind its uses, with the same tensor: what takes that was there before.
        first_use = min((step.edge.event.index for step in steps[:2]), default=self._question.event)
        if tracked is not None and tracked <= first_use:
            return
        if tracked is not None and steps and any(lost.kind == "not-recorded" for lost in steps[0].lost):
            return  # it was watched from the beginning of the recorder on: what came before is told by its own break
        if source.variable and source.trainable and (recorder is None or recorder.auto_watch):
            # `stop_gradient` pauses the recorder while it reads a variable: then it is what was lost on the way.
            lost = any(step.lost or any(inner.lost for inner in step.edge.inside) for step in steps)
            if tracked is None and steps and not lost:
                yield from self._read_past(source, first_use, path)
            return  # the recorder watches it as soon as it is read while the recorder is open
        overwritten = taken_over(self._lineage, self._question, self._places, self._flow, source)
        watched_at = self._lineage.journal.event(tracked) if tracked is not None else None
        yield places.fact(
            "not-watched",
            source,
            path,
            location=places.made(source.tensor),
            watched="never" if watched_at is None else "late",
            watched_at=places.at(watched_at.place) if watched_at else places.stand_in(steps, self._tracked),
            watched_by=self._watched_by_another(source) if watched_at is None else None,
            rebound=overwritten[0] if overwritten else None,
            was=overwritten[1] if overwritten else None,
        )

    def _watched_by_another(self, source: Source) -> OtherRecorder | None:
        """Return the recorder, opened inside of this one or around it, that was told to watch the source instead."""
        timeline, question, places = self._lineage.timeline, self._question, self._places
        for event in self._lineage.journal.events(0, question.event):
            if event.kind == j.WATCH and event.inputs[1] == source.tensor and event.inputs[0] != question.recorder:
                recorder = timeline.recorders.get(event.inputs[0])
                opened, told = places.at(recorder.opened) if recorder is not None else None, places.at(event.place)
                nested = recorder is not None and (
                    timeline.span(question.recorder, event.index, event.thread) is not None
                    or timeline.span(recorder.serial, self._opened, event.thread) is not None
                )
                if nested and opened is not None and told is not None:
                    return OtherRecorder(opened=opened, told=told)
        return None

    def _read_past(self, source: Source, read: int, path: tuple[PathStep, ...]) -> Iterator[GradientBreak]:
        """The target read the variable through what an assignment returned, of which the recorder does not learn."""
        lineage, places, sources = self._lineage, self._places, self._flow.sources
        stores = [e for e in lineage.journal.events(0, read) if lineage.op_name(e) in lineage.rules.assigning]
        stored = next((places.at(event.place) for event in reversed(stores) if event.inputs[0] == source.tensor), None)
        statement = sources.statement(stored) if stored is not None else None
        if stored is None or statement is None or _is_call(statement):
            return
        created = places.made(source.tensor)
        named = self._flow.binding(stored, names_at(sources, created)) if created != stored else None
        known = lineage.rules.variables[source.tensor]
        yield places.fact(
            "not-watched",
            source,
            path,
            location=stored,
            watched="never",
            stored=stored,
            rebound=named,
            was=msgspec.structs.replace(known, created=created) if named is not None else None,
        )

    # -- the path ------------------------------------------------------------------------------------------------

    def _on_path(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> Iterator[GradientBreak]:
        open_run: list[Step] = []
        run: Lost | None = None
        used: Location | None = None
        arrays = self._stored_arrays(steps)
        for index, step in enumerate([*steps, None]):
            if run is None and step is not None and not step.lost and not step.edge.inside:
                continue  # nearly all of a long path
            outside = next((lost for lost in step.lost if lost.kind == "not-recorded"), None) if step else None
            if run is not None and outside != run:
                if step is not None and step.edge.role == "recomputed" and run.region == "paused":
                    used = self._places.at(open_run[0].edge.event.place)  # TensorFlow paused itself: it is one break
                else:
                    yield self._runs.fact(source, run, open_run, path)
                open_run, run = [], None
            if step is None:
                break
            if outside is not None:
                open_run.append(step)
                run = outside
            inside = tuple(unfolded(step))
            for position, inner in enumerate(inside):
                earlier = inside[position - 1] if position else steps[index - 1] if index else None
                for lost in inner.lost:
                    if lost.kind == "left" and index in arrays.values():
                        continue  # told where the array is stored
                    if lost.kind == "state" and index in arrays:
                        left = steps[arrays[index]]
                        exit = self._places.exit_of(left) or self._places.at(left.edge.event.place)
                        fact = self._at_step(source, lost, inner, earlier, path)
                        yield msgspec.structs.replace(fact, exit=exit)
                    elif lost.kind != "not-recorded" and (lost.kind != "dtype" or source.differentiable_dtype):
                        fact = self._at_step(source, lost, inner, earlier, path)
                        fact = self._in_part(fact, inner, steps[index + 1 :])
                        if lost.kind == "stop-gradient":
                            later = (*inside[position + 1 :], *steps[index + 1 :])[:1]
                            fact = msgspec.structs.replace(fact, replaced=self._replaces(earlier, inner, *later))
                        if inner.edge.role == "recomputed":
                            fact = msgspec.structs.replace(fact, entry=used)
                        yield self._with_choice(fact, steps, index) if lost.kind == "index-input" else fact

    def _replaces(self, earlier: Step | None, stopped: Step, later: Step | None = None) -> bool:
        """Return whether a value is only replaced by another one, `x + stop(y - x)`: the gradient goes on to `x`."""
        kinds = self._lineage.rules.kinds
        if earlier is None or later is None:
            return False
        if earlier.edge.op not in kinds.differing - kinds.squaring or later.edge.op not in kinds.adding:
            return False
        beside = {each for each in later.edge.event.inputs if each > 0 and each != stopped.made}
        return not beside.isdisjoint(earlier.edge.event.inputs)

    def _in_part(self, fact: GradientBreak, step: Step, after: Iterable[Step]) -> GradientBreak:
        """With the ready-made part of a model that an operation ran in: its line tells more than the model's call.

        What only serves as an index was given to the model, and the call that gave it is the user's own, but for `fit`.
        """
        place = self._places.at(step.edge.event.place)
        if fact.kind not in _IN_PARTS or fact.location is None or place != fact.location:
            return fact
        if fact.kind == "index-input" and place != self._question.location:
            return fact
        part = self._part(step, after)
        return msgspec.structs.replace(fact, layer_name=part[0], location=part[1]) if part is not None else fact

    def _part(self, step: Step, after: Iterable[Step]) -> tuple[str, Location] | None:
        """The ready-made part of a model that ran an operation, and where it was made.

        In a call that asks for the gradients itself (`fit`) it is the first that anything further came out of.
        """
        place = step.edge.event.place
        inside = self._places.at(place) == self._question.location
        for each in (step, *(after if inside else ())):
            if each.edge.event.place != place:
                return None
            part = self._lineage.rules.part(each.made)
            if part is not None:
                return part
        return None

    def _with_choice(self, fact: GradientBreak, steps: list[Step], index: int) -> GradientBreak:
        """With the operation that gave an index, where that is no break of its own: `argmax`, or a draw."""
        for at, step in reversed([*enumerate(steps[: index + 1])]):
            if self._lineage.is_differentiable(step.source):
                turns = not step.lost and not self._lineage.is_differentiable(step.made)
                part = self._part(step, steps[at + 1 :]) if turns else None
                place = part[1] if part is not None else self._places.at(step.edge.event.place) if turns else None
                if place is not None and place != fact.location:
                    return msgspec.structs.replace(fact, chosen=place, chosen_by=step.edge.op)
                break
        return fact

    def _undone(self, source: Source, steps: list[Step], path: tuple[PathStep, ...]) -> Iterator[GradientBreak]:
        """The first conversion to integers, where all that is lost are floats that had been made of integers before."""
        ends = (i for i, step in enumerate(steps) if not self._lineage.is_differentiable(step.made))
        for index in [*ends][:1]:
            yield self._at_step(source, Lost("dtype"), steps[index], steps[index - 1] if index else None, path)

    def _stored_arrays(self, steps: list[Step]) -> dict[int, int]:
        """By the step that stores a value in a variable, the one before it that made an array or number of it.

        The two are one copy (`set_weights`), whatever was computed of it in between: to mend one alone is no use.
        """
        found = dict[int, int]()
        left = -1
        for index, step in enumerate(steps):
            if step.edge.loss == "state" and left >= 0:
                found[index] = left
            if step.edge.loss == "left":
                left = index
            elif step.lost:
                left = -1
        return found

    def _at_step(
        self, source: Source, lost: Lost, step: Step, before_it: Step | None, path: tuple[PathStep, ...]
    ) -> GradientBreak:
        lineage, places = self._lineage, self._places
        inner = turned(lineage, before_it, step) if lost.kind == "dtype" else None
        if inner is not None:
            return self._at_step(source, inner.lost[0], inner, None, path)
        if lost.kind == "stopped-here":
            place = self._question.location
            return places.fact("stop-gradient", source, path, op=step.edge.op, location=place, by_question=True)
        names = lineage.rules.dtypes
        before, after = lineage.dtype.get(step.source), lineage.dtype.get(step.made)
        call = places.gradient_call([step.edge.event])
        location = places.forward_of(step) or places.at(step.edge.event.place)
        if lost.kind == "custom-gradient":
            location = self._returned.get(step.edge.event.index, location)
            if step.edge.role == "closure" and before_it is not None:
                location = places.at(before_it.edge.event.place) or location
        beside = lost.kind == "dtype" and any(map(lineage.is_differentiable, step.edge.event.outputs))
        entry = None
        if lost.kind == "left":
            entry, location = location, places.exit_of(step) or location
        kind: BreakKind = "left-framework" if lost.kind == "left" else lost.kind  # type: ignore[assignment]
        return places.fact(
            kind,
            source,
            path,
            op=step.edge.op,
            role="position" if beside else step.edge.role,
            argument=lineage.facts(step.edge.event).without(step.position) if kind == "no-gradient" else "",
            location=location,
            entry=entry if entry != location else None,
            dtypes=(names.get(before or 0, ""), names.get(after or 0, "")),
            container=step.edge.container,
            within_gradient=call is not None,
            gradient_of=places.at(call) if call is not None else None,
            gate=of_break(kind, step),
        )


def _is_call(statement: ast.stmt) -> bool:
    """Return whether a statement is a call whose result gets no name."""
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)


def _kept_out(steps: list[Step]) -> bool:
    """Return whether the value takes part without a gradient on purpose: it was not recorded, and stopped as well."""
    return {"stop-gradient", "not-recorded"} <= {lost.kind for step in steps for lost in step.lost}
