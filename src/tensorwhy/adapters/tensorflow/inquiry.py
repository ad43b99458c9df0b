"""What the recording says of one variable, tensor or line that somebody asks about, healthy or not."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import msgspec
import tensorflow as tf

from tensorwhy.adapters.inquiries import RecordedLines
from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.tensorflow.drawing import Recording, name_of
from tensorwhy.adapters.tensorflow.tensor_ids import handle_of, resource
from tensorwhy.adapters.tensorflow.variables.histories import gradient_state, updated
from tensorwhy.adapters.tensorflow.variables.updates import Ask
from tensorwhy.diagnosis.asked import UNNAMED, target_words
from tensorwhy.lineage.prediction import Prediction
from tensorwhy.model.facts.gradient import GradientBreak
from tensorwhy.model.inquiry import Asked, Gradient, Seen, Subject, Update
from tensorwhy.model.location import Location
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.model.report import PathStep, TensorRef
from tensorwhy.recording import journal as j
from tensorwhy.source.files import Sources

if TYPE_CHECKING:
    from tensorwhy.model.casegroup import CaseGroup

_TAPE = "the tape"
_READS = ("ReadVariableOp",)
"""What nobody wrote: the operand itself."""
_BACKWARD = (j.GRADIENT, j.GRADIENT_END)


class Inquiry(RecordedLines):
    """Reads one session. Variables are the ids of their handles; gradient calls and updates are counted."""

    def __init__(self, session: Recording, explain: Callable[[GradientQuestion], Iterable[CaseGroup]]) -> None:
        super().__init__(session.journal, session.lineage(), Sources())
        self._session = session
        self._explain = explain
        self._tapes = session.tapes
        self._predictions: dict[tuple[int, tuple[int, ...]], tuple[Prediction | None, set[int]]] = {}
        self._groups: dict[tuple[int, int], list[CaseGroup]] = {}
        for thing in creations.alive():  # no tape met those that nothing read
            if isinstance(thing, tf.Variable) and handle_of(thing) >= 0:
                self._tapes.know(thing)
        # Of several calls of a site the first: that one was recorded for sure.
        self._asks = list({(ask.place, ask.owner): ask for ask in reversed(self._tapes.updates.asks)}.values())[::-1]

    # -- what there is -------------------------------------------------------------------------------------------

    def subjects(self) -> Iterator[Subject]:
        """Variables, the calls that ask for gradients, and those that apply them."""
        for handle in self._tapes.variables:
            yield self._variable(handle)
        for number, ask in enumerate(self._asks):
            yield Subject(key=number, kind="gradient", places=(*self._chain(ask.place), *self._opened(ask)))
        for number, call in enumerate(self._tapes.applied.calls):
            yield Subject(key=number, kind="update", places=self._chain(call.place))

    def _variable(self, handle: int) -> Subject:
        known, layer = self._tapes.variables[handle], self._tapes.layers.by_handle.get(handle)
        own = known.name.removesuffix(":0")
        names = [own] if own not in UNNAMED else []
        if layer is not None and layer.path:
            names += [f"{layer.path}/{own.rpartition('/')[2]}", f"{layer.name}/{own.rpartition('/')[2]}"]
        names += [self._called(known.created)]
        places = [known.created, layer.made if layer is not None else None]
        return Subject(
            key=handle,
            kind="variable",
            names=tuple(dict.fromkeys(filter(None, names))),
            places=tuple(dict.fromkeys(place for place in places if place is not None)),
        )

    def _opened(self, ask: Ask) -> tuple[Location, ...]:
        tape = self._lineage.timeline.recorders.get(ask.tape)
        at = self._session.journal.location(tape.opened) if tape is not None else None
        return (msgspec.structs.replace(at, end_line=at.line, end_column=None),) if at is not None else ()

    def made_at(self, wanted: Callable[[Location], bool]) -> Iterator[Subject]:
        """For each gradient question, what was computed last at such a line and used elsewhere."""
        places: dict[int, bool] = {}
        made: dict[int, int] = {}
        used: set[int] = set()
        backward = 0
        for event in self._session.journal.events():
            if event.kind in _BACKWARD:
                backward += 1 if event.kind == j.GRADIENT else -1
            if event.kind > j.RECORDED or backward:
                continue
            here = places.get(event.place)
            if here is None:
                here = places[event.place] = any(map(wanted, self._chain(event.place)))
            if not here:
                used.update(made.keys() & set(event.inputs))
            elif event.kind != j.RECORDED:
                made.update(dict.fromkeys(event.outputs, event.index))
        for ask in self._asks:
            rows = {tensor: row for tensor, row in made.items() if row < ask.event}
            targets = set(ask.targets)
            kept = [tensor for tensor in rows if tensor in used or tensor in targets] or list(rows)
            if kept:
                yield self._tensor(max(kept, key=rows.__getitem__))

    def _tensor(self, tensor: int) -> Subject:
        places = [place for event in self._lineage.makers(tensor) for place in self._chain(event.place)]
        names = [self._named(place) for place in places]
        return Subject(key=tensor, kind="tensor", names=tuple(filter(None, names)), places=tuple(dict.fromkeys(places)))

    def _named(self, place: Location) -> str:
        """What the statement calls its value. Of code that was traced it is known which statement made it, no more."""
        name, statement = self._sources.name(place), self._sources.statement(place)
        whole = statement is not None and place.column in (
            None,
            self._sources.column(place.file, statement.lineno, statement.col_offset),
        )
        bound = self._sources.names(place) if whole and not name else ()
        return bound[0] if len(bound) == 1 else name

    # -- what was seen -------------------------------------------------------------------------------------------

    def seen(self, subject: Subject) -> Iterator[Seen]:
        """One answer for each gradient question that the subject has a part in."""
        if subject.kind == "gradient":
            ask = self._asks[subject.key]
            self._learn_reasons(ask)
            yield from (self._of_variable(handle, ask) for handle in ask.handles if handle >= 0)
            yield from self._of_sources(ask)
        elif subject.kind == "update":
            call = self._tapes.applied.calls[subject.key]
            for _, handle in call.pairs:
                if handle in self._tapes.variables:
                    yield from self.seen(self._variable(handle))
        elif subject.kind == "variable":
            asks = [ask for ask in self._asks if subject.key in ask.handles]
            asks = asks or [ask for ask in self._asks if subject.key in ask.unasked] or self._asks
            yield from (self._of_variable(subject.key, ask) for ask in asks)
            if not asks:
                yield Seen(
                    subject=self._reference(subject.key),
                    trainable=self._tapes.variables[subject.key].trainable,
                    used=None,
                    requested=False,
                    update=self._update(subject.key),
                )
        else:
            found = [self._of_tensor(subject.key, ask) for ask in self._after(subject.key)]
            yield from [each for each in found if each.used] or found[:1]
            if not found:
                yield Seen(subject=self._reference(subject.key), requested=False)

    def _learn_reasons(self, ask: Ask) -> None:
        """Explain all variables without a gradient together: one by one would take as often as long."""
        lost = [handle for handle, key in zip(ask.handles, ask.gradients) if handle >= 0 > key]
        if not lost:
            return
        question = self._question(ask, self._source(lost[0], ask), True)
        sources = tuple(self._source(handle, ask) for handle in lost)
        for group in self._explain(msgspec.structs.replace(question, sources=sources)):
            found = next((fact.sources[0].tensor for fact in group.facts if isinstance(fact, GradientBreak)), -1)
            self._groups.setdefault((ask.event, found), []).append(group)

    def _after(self, tensor: int) -> list[Ask]:
        """The first question of each call site that was asked after a tensor was made."""
        row = min((event.index for event in self._lineage.makers(tensor)), default=None)
        asks = [ask for ask in self._tapes.updates.asks if row is not None and row < ask.event]
        return list({(ask.place, ask.owner): ask for ask in reversed(asks)}.values())[::-1]

    def _of_sources(self, ask: Ask) -> Iterator[Seen]:
        """The sources of a question that are no variables."""
        for tensor, handle, key in zip(ask.sources, ask.handles, ask.gradients):
            if handle < 0 <= tensor:
                yield self._about(Source(tensor=tensor), ask, requested=True, arrives=key >= 0)

    def _source(self, handle: int, ask: Ask) -> Source:
        position = ask.handles.index(handle) if handle in ask.handles else 0
        return Source.of(self._tapes.variables[handle], position)

    def _of_variable(self, handle: int, ask: Ask) -> Seen:
        source = self._source(handle, ask)
        arrives = ask.gradients[source.position] >= 0 if handle in ask.handles else None
        return self._about(source, ask, requested=handle in ask.handles, arrives=arrives)

    def _of_tensor(self, tensor: int, ask: Ask) -> Seen:
        return self._about(Source(tensor=tensor), ask, requested=tensor in ask.sources, arrives=None)

    def _about(self, source: Source, ask: Ask, requested: bool, arrives: bool | None) -> Seen:
        question = self._question(ask, source, requested)
        return self._answer(question, source, requested, arrives, ask)

    def _question(self, ask: Ask, source: Source, requested: bool) -> GradientQuestion:
        return GradientQuestion(
            recorder_noun="tape",
            event=ask.event,
            place=ask.place,
            recorder=ask.tape,
            targets=ask.targets,
            sources=(source,),
            asked=len(ask.sources) + (not requested),  # else what is written there would name another source
            all_sources=ask.sources,
            location=self._session.journal.location(ask.place),
        )

    def _answer(
        self, question: GradientQuestion, source: Source, requested: bool, arrives: bool | None, ask: Ask | None
    ) -> Seen:
        lineage, key = self._lineage, source.tensor
        tape = lineage.timeline.recorders.get(question.recorder)
        prediction, above = self._predicted(question, tape is not None)
        watched = key in prediction.replay.tracked if prediction is not None else None
        if arrives is None and prediction is not None:
            arrives = prediction.arrives(key)
        used = key in above or key in question.targets
        groups: tuple[CaseGroup, ...] = ()
        if arrives is False:
            groups = tuple(self._groups.get((question.event, key)) or self._explain(question))
        origins = self._origins(key, ask) if ask is not None and not source.variable else {}
        path = self._path(question.recorder, question.targets, question.event, key, _READS) if used else ()
        return Seen(
            subject=self._reference(key),
            asked=self._asked(question, ask, tape.opened if tape is not None else -1),
            trainable=source.trainable,
            used=used if tape is not None else None,
            requested=requested,
            watched=watched,
            made_from=tuple(map(self._name, origins)),
            lost_from=tuple(self._name(each) for each, arrived in origins.items() if not arrived),
            gradient=self._gradient(key, ask, arrives, path, groups),
            update=self._update(key) if source.variable and ask is not None else None,
        )

    def _predicted(self, question: GradientQuestion, recorded: bool) -> tuple[Prediction | None, set[int]]:
        """What the tape does with this question, and all that its targets were computed from."""
        key = question.event, question.targets
        if key not in self._predictions:
            above = self._lineage.ancestors(question.targets, question.event)
            self._predictions[key] = Prediction(self._lineage, question) if recorded else None, above
        return self._predictions[key]

    def _origins(self, key: int, ask: Ask) -> dict[int, bool]:
        """The sources of a question that a tensor was computed from, and which of them got a gradient."""
        above = self._lineage.ancestors((key,), ask.event)
        keys = (handle if handle >= 0 else each for each, handle in zip(ask.sources, ask.handles))
        return {each: gradient >= 0 for each, gradient in zip(keys, ask.gradients) if each in above and each != key}

    def _asked(self, question: GradientQuestion, ask: Ask | None, opened: int) -> Asked:
        updates = self._tapes.updates
        steps = 0
        if ask is not None:
            steps = updates.calls.get(ask.owner, 0) if ask.owner else updates.counts[ask.place]
        return Asked(
            at=question.location,
            target=self._target(question, ask),
            recorder=_TAPE,
            recorder_at=self._session.journal.location(opened),
            steps=steps,
            traced=ask is not None and bool(ask.owner),
        )

    def _target(self, question: GradientQuestion, ask: Ask | None) -> str:
        words = target_words(self._sources, question)
        return "the loss" if words == "the target" and ask is not None and not ask.by_user else words

    def _gradient(
        self,
        key: int,
        ask: Ask | None,
        arrives: bool | None,
        path: tuple[PathStep, ...],
        groups: tuple[CaseGroup, ...],
    ) -> Gradient:
        norms = self._tapes.norms
        taken = norms.taken.get(key, {}).get(ask.place, []) if ask is not None else []
        watched = self._tapes.updates.watched.get(key)
        changed = updated(watched) if watched is not None else None
        state = gradient_state([norm for _, norm in taken], key in norms.unseen, changed) if taken else "unknown"
        return Gradient(
            arrives=arrives,
            state="none" if arrives is False else state,
            steps=tuple(step + 1 for step, _ in taken),
            norms=tuple(norm for _, norm in taken),
            path=path,
            groups=groups,
        )

    def _update(self, handle: int) -> Update:
        applied = self._tapes.applied
        call = next((c for c in applied.calls if any(h == handle for _, h in c.pairs)), None)
        used = next((each for each in applied.optimizers if handle in each.handles), None)
        optimizer = used.optimizer() if used is not None else None
        watched = self._tapes.updates.watched.get(handle)
        seen = max(watched.seen.values(), key=len, default=[]) if watched is not None else []
        return Update(
            optimizer=type(optimizer).__name__ if optimizer is not None else "",
            at=self._session.journal.location(call.place) if call is not None else None,
            given=handle in applied.handles if applied.calls else None,
            changed=updated(watched) if watched is not None else None,
            until=seen[-1][0] if seen else 0,
        )

    # -- names ---------------------------------------------------------------------------------------------------

    def _name(self, key: int) -> str:
        if key in self._tapes.variables:
            return name_of(self._session, key, self._sources)
        subject = self._tensor(key)
        return subject.names[0] if subject.names else "a tensor"

    def _reference(self, key: int) -> TensorRef:
        known = self._tapes.variables.get(key)
        if known is not None:
            layer = self._tapes.layers.by_handle.get(key)
            return TensorRef(
                name=self._name(key),
                kind="variable",
                dtype=known.dtype,
                shape=known.shape,
                location=known.created,
                layer=layer.path if layer is not None else "",
            )
        subject = self._tensor(key)
        dtype = self._lineage.rules.dtypes.get(self._lineage.dtype.get(key, -1), "")
        name = subject.names[0] if subject.names else self._written(subject)
        return TensorRef(name=name, dtype=dtype, location=subject.places[0] if subject.places else None)

    def _written(self, subject: Subject) -> str:
        text = self._sources.expression(subject.places[0]) if subject.places else ""
        return text if len(text) <= 60 else ""

    # -- what the program did not ask ----------------------------------------------------------------------------

    def would(self, question: GradientQuestion) -> Iterator[Seen]:
        """The answers to a question that was not asked."""
        for source in question.sources:
            alone = GradientQuestion(
                recorder_noun="tape",
                event=question.event,
                place=question.place,
                recorder=question.recorder,
                targets=question.targets,
                sources=(source,),
                asked=question.asked,
                all_sources=question.all_sources,
                location=question.location,
            )
            yield self._answer(alone, source, True, None, None)

    def subject(self, thing: Any) -> Subject | None:
        """A live variable or tensor."""
        if resource(thing) is not None:
            key = self._session.recorder.handle_of(thing)
            return self._variable(key) if key in self._tapes.variables else None
        tensor = getattr(thing, "_id", None)
        return self._tensor(tensor) if type(tensor) is int and self._lineage.makers(tensor) else None
