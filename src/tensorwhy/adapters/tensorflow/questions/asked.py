"""The questions that programs ask of tapes: which gradients were asked for, and which answers were None."""

from __future__ import annotations

import functools
import operator
import sys
import threading
from collections.abc import Callable
from functools import partial
from types import FrameType
from typing import Any, NamedTuple

import msgspec
import numpy as np

from tensorwhy.adapters.keras_common.learning import replaced_weights
from tensorwhy.adapters.tensorflow.gradients.rules import trainable
from tensorwhy.adapters.tensorflow.graphs import trial_runs
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.questions import signals
from tensorwhy.adapters.tensorflow.questions.tapes import Tapes
from tensorwhy.adapters.tensorflow.questions.unrecorded import Unrecorded
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep, step_of
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_name, resource, static_shape
from tensorwhy.adapters.tensorflow.variables.answers import Gradients
from tensorwhy.adapters.tensorflow.variables.askers import replica, replicas
from tensorwhy.adapters.tensorflow.variables.zeros import Zero, all_zero
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording import locations
from tensorwhy.recording.around import around

GRAPH_STEPS = 8
"""Traced questions whose graphs are kept until the end."""
_PER_SITE = 20
"""So many questions of one call site are kept in a run with a bounded window."""
_FILLED = 2
"""So many questions of one call site are kept in which zeros may stand for what is not connected."""


class _Call(NamedTuple):
    """A call of a tape that goes on. `before`, `outer`: what counted in this thread until then."""

    tape: Any
    target: Any
    sources: Any
    rest: tuple[Any, ...]
    serial: int
    event: int
    place: int
    armed: bool
    thread: int
    before: int | None
    outer: tuple[Any, Any] | None


class _Answer(NamedTuple):
    """What a tape answered: one gradient for each of the sources. `raw` are these as the program wrote them."""

    event: int
    tape: Any
    target: Any
    sources: Any
    raw: Any
    result: Any
    frame: FrameType
    error: str = ""

    @property
    def targets(self) -> list[Any]:
        return list(self.target) if isinstance(self.target, (list, tuple)) else [self.target]

    @property
    def lost(self) -> list[int]:
        return [i for i, gradient in enumerate(self.result) if gradient is None]


class Questions:
    """`asked` are the questions whose answer held a None, `traced` the steps of those that were asked in a graph.

    `filled` are those that asked for zeros instead of None: about the sources whose zeros may be such. `unrecorded` are
    those of tapes that were not recorded. `on_answer` is called with the place, the target and the gradients of each
    answer.
    """

    def __init__(self, recorder: Recorder, tapes: Tapes) -> None:
        self.asked: list[GradientQuestion] = []
        self.filled: list[GradientQuestion] = []
        self.traced: dict[int, GraphStep | str] = {}
        self.unrecorded = Unrecorded()
        self.on_answer: Callable[[int, Any, Any], None] | None = None
        self._places: set[int] = set()
        self._described: dict[int, tuple[tuple[int, ...], list[int], tuple[Source, ...]]] = {}
        """By place: all sources of a call, and those of many variables that got no gradient, with their description."""
        self._recorder = recorder
        self._tapes = tapes
        self._counts: dict[int, int] = {}
        self._asking: dict[int, tuple[Any, Any]] = {}  # thread -> the tape and the sources of the call that goes on

    def install(self) -> None:
        """Replace what a tape is asked through."""
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.eager import backprop

        self._recorder.patches.replace(pywrap_tfe, "TFE_Py_TapeGradient", self.wrap)
        self._recorder.patches.replace(backprop.GradientTape, "gradient", self.wrap_method)

    def wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """For the function of the tape itself, which `GradientTape.gradient` and all others that ask go through."""
        return around(original, self._begins, self._ends)

    def _begins(
        self, tape: Any, target: Any, sources: Any, *rest: Any
    ) -> tuple[tuple[Any, ...], dict[str, Any], _Call] | None:
        recorder = self._recorder
        if not recorder.active:
            return None
        try:
            event, place = recorder.journal.position, recorder.place(sys._getframe(1))
            armed = self._tapes.attention.armed
            if armed:
                recorder.journal.add(j.GRADIENT, "", place, ())
            thread = threading.get_ident()
            before, outer = recorder.places.within.get(thread), self._asking.get(thread)
            # Every operation of the backward pass stands at this line: their stacks need not be walked.
            recorder.places.within[thread] = place
            self._asking[thread] = tape, sources
        except Exception as error:
            recorder.fail(error)
            return None
        serial = self._tapes.serial(tape)
        call = _Call(tape, target, sources, rest, serial, event, place, armed, thread, before, outer)
        return (tape, target, sources, *rest), {}, call

    def _ends(self, call: _Call, raised: BaseException | None, result: Any) -> None:
        recorder = self._recorder
        recorder.places.leave(call.thread, call.before)
        if call.outer is None:
            self._asking.pop(call.thread, None)
        else:
            self._asking[call.thread] = call.outer
        try:
            if call.armed:
                recorder.journal.add(j.GRADIENT_END, "", -1, ())
            if raised is None and recorder.active:
                self._answered(call, result, sys._getframe(1))
            elif call.armed and type(raised) in (LookupError, AttributeError):
                self._refused(call, type(raised).__name__, sys._getframe(1))
        except Exception as error:
            recorder.fail(error)

    def _answered(self, call: _Call, result: Any, frame: FrameType) -> None:
        recorder, tapes, tape, event = self._recorder, self._tapes, call.tape, call.event
        recorder.kept.go_on()
        site, target, armed, internal = call.place, call.target, call.armed, _internal(frame)
        answer = _Answer(event, tape, target, call.sources, _raw(call.sources, call.rest), result, frame)
        lost = not internal and any(map(_is_none, result))
        whole = tapes.created.get(call.serial, -1) >= recorder.armed_at
        again = tapes.updates.traced(site, lost, whole)
        tapes.attention.gradient(site, lost, whole, again)
        if not lost:
            self.unrecorded.answered(site)
        if self.on_answer is not None:
            self.on_answer(site, target, result)
        if armed and whole and lost and self._worth(tape, event, site):
            tapes.optimizers.install()
            trial_runs.settle()
            self._ask(answer)
            tapes.graphs.learn(self.asked[-1].place, target)
            if recorder.kept.on:
                self._keep(answer)
        elif armed and whole and _fills(call.rest) and self._worth_filled(tape, event, site):
            self._ask_filled(answer)
        elif lost and not (armed and whole):
            self._note(answer)
        if not internal:
            self._look(call, answer)
            tapes.outer.seen(site, target)
        if recorder.kept.on:
            from tensorflow.python import pywrap_tfe

            recorder.kept.answered(site, not pywrap_tfe.TFE_Py_TapeSetIsEmpty(), tapes.askable(tape))
        if tapes.on_step is not None and not again:
            tapes.on_step(site, replica(), lost, whole)

    def _worth(self, tape: Any, event: int, site: int) -> bool:
        """Whether to keep one more question of this call site. With a window, its steps stay for the first ones."""
        window = self._tapes.window
        if window is None:
            return True
        count = self._counts[site] = self._counts.get(site, 0) + 1
        if count <= _PER_SITE:
            window.need(self._tapes.created.get(self._tapes.serial(tape), event), event)
        return count <= _PER_SITE

    def _worth_filled(self, tape: Any, event: int, site: int) -> bool:
        """Whether to keep one more question of this call site that was answered with zeros instead of None."""
        count = self._counts[site] = self._counts.get(site, 0) + 1
        if count <= _FILLED and self._tapes.window is not None:
            self._tapes.window.need(self._tapes.created.get(self._tapes.serial(tape), event), event)
        return count <= _FILLED

    def wrap_method(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """For `GradientTape.gradient`, which refuses a target that is a number before the tape itself is asked."""

        def begins(
            tape: Any, target: Any, sources: Any, *args: Any, **kwargs: Any
        ) -> tuple[tuple[Any, ...], dict[str, Any], Any]:
            return (tape, target, sources, *args), kwargs, (tape, target, sources, len(self.asked))

        def ends(state: tuple[Any, Any, Any, int], raised: BaseException | None, result: Any) -> None:
            tape, target, sources, known = state
            refused = isinstance(raised, (TypeError, AttributeError)) and isinstance(target, _ARRAYS)
            if refused and self._recorder.active and len(self.asked) == known:
                self._refused_number(tape, target, sources, type(raised).__name__, sys._getframe(1))

        return around(original, begins, ends)

    def _refused_number(self, tape: Any, target: Any, sources: Any, error: str, frame: FrameType) -> None:
        try:
            raw = list(sources) if isinstance(sources, (list, tuple)) else [sources]
            raw = [getattr(each, "value", each) if resource(each) is None else each for each in raw]
            held, tensors = getattr(tape, "_tape", None), [_tensor(each) for each in raw]
            if held is not None and self._tapes.attention.armed and all(hasattr(each, "_id") for each in tensors):
                event, asked = self._recorder.journal.position, getattr(held, "_tape", held)
                self._ask(_Answer(event, asked, target, tensors, raw, [None] * len(raw), frame, error))
        except Exception as failure:
            self._recorder.fail(failure)

    def _keep(self, answer: _Answer) -> None:
        """Keep what an experiment needs: of eager operations their values, of a graph its nodes."""
        targets = tuple(answer.targets)
        symbolic = [not hasattr(each, "_datatype_enum") for each in targets]
        place = self.asked[-1].place
        try:
            if not any(symbolic):
                lost = {answer.sources[i]._id: answer.raw[i] for i in answer.lost}
                self._recorder.kept.take(answer.event, place, targets, lost)
            elif all(symbolic) and place not in self._places and len(self._places) < GRAPH_STEPS:
                self._places.add(place)
                self.traced[answer.event] = step_of(targets)
        except Exception as error:  # costs the experiments, and nothing else
            self._recorder.kept.fail(f"{type(error).__name__}: {error}")

    def _keep_zeros(self, event: int, site: object, targets: list[Any], sources: dict[int, Any]) -> None:
        """Keep the step in which gradients are zero; of a traced one nothing is known in here."""
        kept = self._recorder.kept
        try:
            if kept.on and all(hasattr(each, "_datatype_enum") for each in targets):
                kept.take(event, site, tuple(targets), sources)
        except Exception as error:  # costs the experiments, and nothing else
            kept.fail(f"{type(error).__name__}: {error}")

    def _look(self, call: _Call, answer: _Answer) -> None:
        """Have the values of the gradients looked at, now and then."""
        event, place, target, sources = call.event, call.place, call.target, call.sources
        raw, result, frame, targets = answer.raw, answer.result, answer.frame, answer.targets
        tapes, since = self._tapes, self._tapes.created.get(call.serial, -1)

        def ask(positions: tuple[int, ...]) -> Zero | None:
            found = tuple(self._source(sources[i], raw[i], i) for i in positions)
            if tapes.window is not None:
                tapes.window.need(tapes.created.get(call.serial, event), event)
            self._keep_zeros(event, ("zeros", place), targets, {sources[i]._id: raw[i] for i in positions})
            looked = (tapes.zeros.ever_zero(place) | tapes.zeros.ever_other(place)).difference(positions)
            others = [i for i, gradient in enumerate(result) if gradient is not None and i in looked]
            question = GradientQuestion(
                event=event,
                place=place,
                recorder=call.serial,
                targets=tuple(self._recorder.input_id(t) for t in targets),
                sources=tuple(source for source in found if source.variable),
                asked=len(result),
                location=self._recorder.journal.location(place),
            )
            return Zero(question=question, moving=tuple(self._recorder.input_id(sources[i]) for i in others))

        def sources_at(positions: list[int]) -> list[int]:
            return [*range(len(result))] if signals.TARGET in positions else positions

        def ask_signal(positions: list[int]) -> GradientQuestion:
            return self._question(answer, sources_at(positions))

        def keep(positions: list[int], number: int) -> None:
            positions = sources_at(positions)
            if tapes.window is not None:
                tapes.window.need(tapes.created.get(call.serial, event), event)
            site = signals.KIND, place, number
            self._keep_zeros(event, site, targets, {sources[i]._id: raw[i] for i in positions})

        if replaced_weights.ROWS:
            given = {handle._id for each in raw if (handle := resource(each)) is not None}
            replaced_weights.asked(given, locations.caller(self._recorder.user, frame))
        tapes.made_anew.asked(place, raw)
        gradients = Gradients(result)
        whole, hold = since >= self._recorder.armed_at, partial(tapes.updates.hold, place)
        tapes.signals.seen(place, gradients, whole, targets, ask_signal, keep, hold)
        tapes.applied.install()
        tapes.norms.seen(place, raw, gradients)
        tapes.updates.asked(place, event, call.tape, call.serial, target, sources, raw, result, frame)
        tapes.zeros.seen(place, gradients, since, ask)

    def _refused(self, call: _Call, error: str, frame: FrameType) -> None:
        """A question that ended in an exception: as if each answer were None."""
        target, sources = call.target, call.sources
        given = [*(target if isinstance(target, (list, tuple)) else [target]), *sources]
        tensors_or_arrays = all(hasattr(each, "_id") or isinstance(each, _ARRAYS) for each in given)
        if self._recorder.active and tensors_or_arrays and not _internal(frame):
            raw, answers = _raw(sources, call.rest), [None] * len(sources)
            self._ask(_Answer(call.event, call.tape, target, sources, raw, answers, frame, error))

    def _ask(self, answer: _Answer) -> None:
        question = self._question(answer, answer.lost)
        self.asked.append(question)
        self._recorder.journal.add(j.QUESTION, "", question.place, (len(self.asked) - 1,))

    def _note(self, answer: _Answer) -> None:
        """A question whose tape was not recorded."""
        tapes = self._tapes
        self.unrecorded.note(
            self._recorder.place(answer.frame),
            answer.tape,
            lambda: self._question(answer, answer.lost),
            lambda variable: tapes.variables[tapes.know(variable)],
        )

    def _ask_filled(self, answer: _Answer) -> None:
        """A question that was answered with zeros where there is no connection: which of them do, is seen later."""
        gradients = enumerate(answer.result)
        zero = [i for i, gradient in gradients if not hasattr(gradient, "_datatype_enum") or all_zero(gradient)]
        if zero and not _internal(answer.frame):
            question = self._question(answer, zero)
            self.filled.append(msgspec.structs.replace(question, filled=True))

    def _question(self, answer: _Answer, positions: list[int]) -> GradientQuestion:
        sources, place = answer.sources, self._recorder.place(answer.frame)
        every = tuple(self._recorder.input_id(t) for t in sources)
        before, asked, known = self._described.get(place, _NOTHING)
        if before != every or asked != positions:  # the same variables are described once
            self._tapes.learn({sources[i]._id for i in positions if hasattr(sources[i], "_id")})
            known = tuple(self._source(sources[i], answer.raw[i], i) for i in positions)
            if len(known) > _MANY and all(each.variable for each in known):
                if len(self._described) >= _PLACES:
                    self._described.clear()
                self._described[place] = every, positions, known
        in_callback = _asker(answer.frame).endswith(_CALLBACK)
        outer = self._asking.get(threading.get_ident()) if in_callback else None
        return GradientQuestion(
            recorder_noun="tape",
            event=answer.event,
            place=place,
            recorder=self._tapes.serial(answer.tape),
            targets=tuple(self._recorder.input_id(t) for t in answer.targets),
            sources=known,
            asked=len(sources),
            all_sources=every,
            error=answer.error,
            in_callback=in_callback,
            outer_recorder=self._tapes.serial(outer[0]) if outer is not None else 0,
            outer=tuple(each._id for each in outer[1] if hasattr(each, "_id")) if outer is not None else (),
            location=self._recorder.journal.location(place),
            callers=tuple(frame.location for frame in self._recorder.journal.chain(place)[1:]),
            replicas=replicas(),
        )

    def hypothetical(self, target: Any, sources: list[Any], tape: Any) -> GradientQuestion | None:
        """The question as if it were asked now, and answered by None; None when its tape was not recorded.

        Without a tape, it is the one that was opened last.
        """
        serial = self._tapes.count if tape is None else self._tapes.held_by(tape)
        if serial == 0 or self._tapes.created.get(serial, -1) < self._recorder.armed_at:
            return None
        tensors, every = [_tensor(each) for each in sources], list(range(len(sources)))
        now = self._recorder.journal.position
        asked = _Answer(now, None, target, tensors, sources, (), sys._getframe(1))
        question = self._question(asked, every)
        return msgspec.structs.replace(question, recorder=serial)

    def _source(self, tensor: Any, raw: Any, position: int) -> Source:
        if not hasattr(tensor, "_id"):
            kind = type(tensor).__name__
            return Source(tensor=j.NUMPY, dtype=kind, position=position, made=self._recorder.places.assigned(tensor))
        variable = raw if resource(raw) is not None else None
        known = self._tapes.variables.get(tensor._id)
        if variable is not None and variable.handle is tensor:
            known = self._tapes.variables[self._tapes.know(variable)]
            return Source(
                tensor=known.tensor,
                variable=True,
                trainable=known.trainable,
                name=known.name,
                dtype=known.dtype,
                differentiable_dtype=trainable(known.dtype),
                shape=known.shape,
                position=position,
            )
        return Source(
            tensor=tensor._id,
            variable=known is not None,
            trainable=known.trainable if known else None,
            name=known.name if known else "",
            dtype=known.dtype if known else dtype_name(tensor),
            differentiable_dtype=trainable(dtype_name(variable if variable is not None else tensor)),
            shape=static_shape(raw),
            position=position,
            beside=_other_parts(raw, tensor) if variable is None and raw is not tensor else (),
        )


def _other_parts(raw: Any, values: Any) -> tuple[int, ...]:
    """The tensors that a sparse or ragged tensor holds beside its values."""
    from tensorflow import nest

    if not hasattr(raw, "_type_spec") or hasattr(raw, "_id"):
        return ()
    parts = nest.flatten(raw, expand_composites=True)
    return tuple(part._id for part in parts if part is not values and hasattr(part, "_id"))


def _fills(rest: Any) -> bool:
    """Whether zeros were asked for where there is no connection. `rest` is what follows the sources."""
    return len(rest) > 2 and rest[2] == "zero"


def _raw(sources: Any, rest: Any) -> Any:
    """The sources as the user gave them (Variable objects), where they match the flat ones."""
    raw = rest[1] if len(rest) > 1 else None
    return raw if raw is not None and len(raw) == len(sources) else sources


_MANY, _PLACES = 64, 8
_NOTHING: tuple[tuple[int, ...], list[int], tuple[Source, ...]] = (), [], ()
_is_none = functools.partial(operator.is_, None)
_ARRAYS = (np.ndarray, np.generic, float, int)
_CALLBACK = "ops/script_ops.py"
_OWN_PURPOSES = ("eager/forwardprop.py", "ops/custom_gradient.py", "ops/gradient_checker_v2.py")


def _internal(frame: FrameType | None) -> bool:
    """Whether TensorFlow asks for its own purposes (forward mode, recomputation, a check): nobody sees the None."""
    return _asker(frame).endswith(_OWN_PURPOSES)


def _asker(frame: FrameType | None) -> str:
    """The file of the code that called the tape's method; empty when there is none."""
    while frame is not None and _passes_on(frame.f_code.co_filename):
        frame = frame.f_back
    return frame.f_code.co_filename.replace("\\", "/") if frame is not None else ""


@functools.cache
def _passes_on(file: str) -> bool:
    """Whether it is the tape's own, or has hooks on it: several may stand around one another."""
    file = file.replace("\\", "/")
    own = file.endswith(("eager/backprop.py", "eager/imperative_grad.py"))
    return own or "/tensorwhy/adapters/" in file or "/tensorwhy/recording/" in file


def _tensor(source: Any) -> Any:
    """What the tape knows a source by: the handle of a variable, or the tensor itself."""
    handle = resource(source)
    return source if handle is None else handle
