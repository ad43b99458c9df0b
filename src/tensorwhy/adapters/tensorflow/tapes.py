"""The life of gradient tapes, and the questions that programs ask of them.

A tape is a serial number. TensorFlow's tape objects cannot be weakly referenced, but `TFE_Py_TapeSetNew` hands out each
new one, so that a reused `id()` is noticed.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec
import numpy as np

from tensorwhy.adapters.tensorflow.applied import Applications
from tensorwhy.adapters.tensorflow.attention import Attention
from tensorwhy.adapters.tensorflow.backward import none_inputs
from tensorwhy.adapters.tensorflow.drawing import GraphDetails
from tensorwhy.adapters.tensorflow.fates import Norms
from tensorwhy.adapters.tensorflow.layers import Layers
from tensorwhy.adapters.tensorflow.optimizers import Optimizers
from tensorwhy.adapters.tensorflow.recorder import Recorder
from tensorwhy.adapters.tensorflow.updates import Updates
from tensorwhy.adapters.tensorflow.zeros import Zeros, all_zero
from tensorwhy.model.question import GradientQuestion, Source, Variable, ZeroQuestion
from tensorwhy.recording import journal as j


class Tapes:
    """Hooks on tapes; keeps the questions whose answer held a None."""

    def __init__(self, recorder: Recorder, attention: Attention) -> None:
        self.attention = attention
        self.questions: list[GradientQuestion] = []
        self.custom_code: dict[int, tuple[str, int]] = {}
        self.custom_none: dict[int, tuple[int, ...]] = {}
        self.call_none: dict[int, tuple[int, ...]] = {}
        self._recorder = recorder
        self._serials: dict[int, int] = {}
        self._count = 0
        self._created: dict[int, int] = {}
        self.variables: dict[int, Variable] = {}
        self.optimizers = Optimizers(recorder)
        self.zeros = Zeros(recorder, attention.news)
        self.updates = Updates(recorder)
        self.layers = Layers()
        self.graphs = GraphDetails()
        self.norms = Norms()
        self.updates.on_new = self.layers.learn
        self.applied = Applications(recorder)
        recorder.on_variable = self.know

    def install(self) -> None:
        """Replace the entry points of the tape."""
        from tensorflow.python import pywrap_tfe

        replace = self._recorder.patches.replace
        replace(pywrap_tfe, "TFE_Py_TapeSetNew", self._wrap_new)
        replace(pywrap_tfe, "TFE_Py_TapeSetAdd", self._after(j.TAPE_ADD, self._added))
        replace(pywrap_tfe, "TFE_Py_TapeSetRemove", self._after(j.TAPE_REMOVE, self._removed))
        replace(pywrap_tfe, "TFE_Py_TapeWatch", self._after(j.WATCH, self._watch))
        replace(pywrap_tfe, "TFE_Py_TapeWatchVariable", self._after(j.WATCH_VARIABLE, self._watch_variable))
        replace(pywrap_tfe, "TFE_Py_TapeGradient", self._wrap_gradient)
        self.updates.install()
        self.applied.renew()

    def arm(self) -> None:
        """Replace what is called for each read of a variable, each pause and each call that is recorded by hand."""
        from tensorflow.python import pywrap_tfe

        replace = self._recorder.per_operation.replace
        replace(pywrap_tfe, "TFE_Py_TapeVariableAccessed", self._after(j.ACCESS, self._access, False))
        replace(pywrap_tfe, "TFE_Py_TapeSetStopOnThread", self._after(j.STOP, lambda: (), False))
        replace(pywrap_tfe, "TFE_Py_TapeSetRestartOnThread", self._after(j.RESTART, lambda: (), False))
        replace(pywrap_tfe, "TFE_Py_TapeSetRecordOperation", self._wrap_record)
        replace(pywrap_tfe, "TFE_Py_TapeSetRecordOperationBackprop", self._wrap_record)

    def serial(self, tape: Any) -> int:
        """The number of a tape; 0 for one that was opened before recording began."""
        return self._serials.get(id(tape), 0)

    def know(self, variable: Any) -> int:
        """Remember a variable's description; returns its handle's id."""
        handle: int = variable.handle._id
        if handle not in self.variables:
            self.variables[handle] = Variable(
                tensor=handle,
                name=variable.name,
                dtype=dtype_name(variable),
                shape=tuple(variable.shape) if variable.shape.rank is not None else None,
                trainable=bool(variable.trainable),
            )
        return handle

    def _after(self, kind: int, describe: Callable[..., tuple[int, ...]], where: bool = True) -> Callable[..., Any]:
        """A wrapper that writes one event after each call; without `where` for what is frequent and has no line."""
        recorder, journal = self._recorder, self._recorder.journal

        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def hooked(*args: Any) -> Any:
                result = original(*args)
                if recorder.active:
                    try:
                        if where:
                            frame = sys._getframe(1)
                            journal.add(kind, _method(frame), recorder.place(frame), describe(*args))
                        else:
                            journal.add(kind, "", -1, describe(*args))
                    except Exception as error:
                        recorder.fail(error)
                return result

            return hooked

        return wrap

    def _added(self, tape: Any) -> tuple[int, ...]:
        self.attention.open_tapes += 1
        return (self.serial(tape),)

    def _removed(self, tape: Any) -> tuple[int, ...]:
        self.attention.open_tapes -= 1
        return (self.serial(tape),)

    def _watch(self, tape: Any, tensor: Any) -> tuple[int, ...]:
        return (self.serial(tape), self._recorder.input_id(tensor))

    def _watch_variable(self, tape: Any, variable: Any) -> tuple[int, ...]:
        return (self.serial(tape), self.know(variable))

    def _access(self, variable: Any) -> tuple[int, ...]:
        return (self.know(variable),)

    def _wrap_new(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self._recorder, self._recorder.journal

        def TFE_Py_TapeSetNew(persistent: bool, watch_accessed_variables: bool) -> Any:
            tape = original(persistent, watch_accessed_variables)
            if recorder.active:
                try:
                    self._count += 1
                    self._serials[id(tape)] = self._count
                    frame = sys._getframe(1)
                    place = recorder.place(frame)
                    recorder.kept.opened(place)
                    self.attention.opened(place)
                    self.attention.open_tapes += 1
                    self._created[self._count] = journal.position
                    inputs = (self._count, int(persistent), int(watch_accessed_variables))
                    journal.add(j.TAPE_NEW, _method(frame), place, inputs)
                except Exception as error:
                    recorder.fail(error)
            return tape

        return TFE_Py_TapeSetNew

    def _wrap_record(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self._recorder, self._recorder.journal

        def TFE_Py_TapeSetRecordOperation(op_type: Any, outputs: Any, inputs: Any, *args: Any) -> Any:
            if recorder.active and args and sys._getframe(2).f_code.co_filename.endswith("custom_gradient.py"):
                args = (self._observed(args[0], journal.position), *args[1:])
            result = original(op_type, outputs, inputs, *args)
            if recorder.active:
                try:
                    ids: list[int] = []
                    recorder.inputs_of(inputs, ids)
                    outs: list[int] = []
                    recorder.outputs_of(outputs, outs)
                    name = op_type.decode() if isinstance(op_type, bytes) else str(op_type)
                    place = recorder.place(sys._getframe(1))
                    self._note_call(args, journal.position)
                    if recorder.kept.on:
                        recorder.kept.call("record", op_type, (outputs, inputs, args), outputs)
                    journal.add(j.RECORDED, name, place, tuple(ids), tuple(outs))
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_TapeSetRecordOperation

    def _observed(self, backward: Callable[..., Any], row: int) -> Callable[..., Any]:
        """A backward function that also notes for which inputs it gave None: its code is opaque to everybody else."""

        def backward_function(*gradients: Any) -> Any:
            # The user's own lines again, in the midst of a backward pass.
            thread = threading.get_ident()
            before = self._recorder.within.pop(thread, None)
            try:
                result = backward(*gradients)
            finally:
                self._recorder.leave(thread, before)
            try:
                if isinstance(result, (list, tuple)):
                    self.custom_none[row] = tuple(i for i, each in enumerate(result) if each is None)
                    place = self._user_function(backward, 3)
                    if place is not None:
                        self.custom_code[row] = place
            except Exception as error:
                self._recorder.fail(error)
            return result

        return backward_function

    def _user_function(self, function: Any, depth: int) -> tuple[str, int] | None:
        """File and first line of the user's own function behind TensorFlow's wrappers: it is in their closures."""
        code = getattr(function, "__code__", None)
        if code is None or depth < 0:
            return None
        if self._recorder.files[code.co_filename]:
            return code.co_filename, code.co_firstlineno
        for cell in function.__closure__ or ():
            try:
                found = self._user_function(cell.cell_contents, depth - 1)
            except ValueError:  # an empty cell
                continue
            if found is not None:
                return found
        return None

    def _note_call(self, args: tuple[Any, ...], row: int) -> None:
        found = none_inputs(args[0]) if args else None
        if found:
            self.call_none[row] = found

    def _wrap_gradient(self, original: Callable[..., Any]) -> Callable[..., Any]:
        from tensorflow.python import pywrap_tfe

        recorder = self._recorder

        def TFE_Py_TapeGradient(tape: Any, target: Any, sources: Any, *rest: Any) -> Any:
            if not recorder.active:
                return original(tape, target, sources, *rest)
            event = recorder.journal.position
            armed = self.attention.armed
            if armed:
                self._mark(j.GRADIENT, sys._getframe(1))
            error = "unfinished"
            # Every operation of the backward pass stands at this line: their stacks need not be walked.
            thread, before = threading.get_ident(), recorder.within.get(threading.get_ident())
            recorder.within[thread] = recorder.place(sys._getframe(1))
            try:
                result = original(tape, target, sources, *rest)
                error = ""
            except (LookupError, AttributeError) as raised:
                error = type(raised).__name__
                raise
            finally:
                recorder.leave(thread, before)
                if armed:
                    self._mark(j.GRADIENT_END, None)
                if armed and error in ("LookupError", "AttributeError"):
                    self._refused(event, tape, target, sources, rest, error, sys._getframe(1))
            if recorder.active:
                try:
                    lost = any(gradient is None for gradient in result) and not _internal(sys._getframe(1))
                    whole = self._created.get(self.serial(tape), -1) >= recorder.armed_at
                    self.attention.gradient(recorder.place(sys._getframe(1)), lost, whole)
                    if armed and whole and lost:
                        self.optimizers.install()
                        raw = _raw(sources, rest)
                        self._ask(event, tape, target, sources, raw, result, sys._getframe(1))
                        self.graphs.learn(self.questions[-1].place, target)
                        if recorder.kept.on:
                            self._keep(event, target, sources, raw, result)
                    if recorder.kept.on:
                        within = not pywrap_tfe.TFE_Py_TapeSetIsEmpty()
                        recorder.kept.answered(recorder.place(sys._getframe(1)), within)
                    self._look(event, tape, target, sources, _raw(sources, rest), result, sys._getframe(1))
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_TapeGradient

    def _keep(self, event: int, target: Any, sources: Any, raw: Any, result: Any) -> None:
        """Keep what an experiment needs; not of a graph, which has no values."""
        targets = tuple(target) if isinstance(target, (list, tuple)) else (target,)
        if all(hasattr(each, "_datatype_enum") for each in targets):
            lost = {sources[i]._id: raw[i] for i, gradient in enumerate(result) if gradient is None}
            try:
                self._recorder.kept.take(event, self.questions[-1].place, targets, lost)
            except Exception as error:  # costs the experiments, and nothing else
                self._recorder.kept.fail(f"{type(error).__name__}: {error}")

    def _look(self, event: int, tape: Any, target: Any, sources: Any, raw: Any, result: Any, frame: FrameType) -> None:
        """Have the values of the gradients looked at, now and then."""
        if _internal(frame):
            return
        place = self._recorder.place(frame)

        def ask(positions: tuple[int, ...]) -> ZeroQuestion | None:
            found = tuple(self._source(sources[i], raw[i], i) for i in positions)
            targets = list(target) if isinstance(target, (list, tuple)) else [target]
            variables = tuple(source for source in found if source.variable)
            return ZeroQuestion(
                event=event,
                place=place,
                tape=self.serial(tape),
                targets=tuple(self._recorder.input_id(t) for t in targets),
                sources=variables,
                moving=tuple(
                    self._recorder.input_id(sources[i])
                    for i, gradient in enumerate(result)
                    if i not in positions and gradient is not None
                ),
                target_zero=all(map(all_zero, targets)),
                location=self._recorder.journal.location(place),
            )

        self.applied.install()
        self.norms.seen(place, raw, result)
        self.updates.asked(place, event, tape, self.serial(tape), target, sources, raw, result, frame)
        self.zeros.seen(place, result, self._created.get(self.serial(tape), -1), ask)

    def _mark(self, kind: int, frame: FrameType | None) -> None:
        try:
            self._recorder.journal.add(kind, "", self._recorder.place(frame), ())
        except Exception as error:
            self._recorder.fail(error)

    def _refused(
        self, event: int, tape: Any, target: Any, sources: Any, rest: Any, error: str, frame: FrameType
    ) -> None:
        """A question that ended in an exception: as if each answer were None."""
        try:
            given = [*(target if isinstance(target, (list, tuple)) else [target]), *sources]
            tensors_or_arrays = all(hasattr(each, "_id") or isinstance(each, _ARRAYS) for each in given)
            if self._recorder.active and tensors_or_arrays and not _internal(frame):
                self._ask(event, tape, target, sources, _raw(sources, rest), [None] * len(sources), frame, error)
        except Exception as failure:
            self._recorder.fail(failure)

    def _ask(
        self,
        event: int,
        tape: Any,
        target: Any,
        sources: Any,
        raw: Any,
        result: Any,
        frame: FrameType,
        error: str = "",
    ) -> None:
        targets = list(target) if isinstance(target, (list, tuple)) else [target]
        place = self._recorder.place(frame)
        question = GradientQuestion(
            event=event,
            place=place,
            tape=self.serial(tape),
            targets=tuple(self._recorder.input_id(t) for t in targets),
            sources=tuple(self._source(sources[i], raw[i], i) for i, gradient in enumerate(result) if gradient is None),
            asked=len(sources),
            all_sources=tuple(self._recorder.input_id(t) for t in sources),
            error=error,
            in_callback=_asker(frame).endswith(_CALLBACK),
            location=self._recorder.journal.location(place),
            callers=tuple(frame.location for frame in self._recorder.journal.chain(place)[1:]),
        )
        self.questions.append(question)
        self._recorder.journal.add(j.QUESTION, "", place, (len(self.questions) - 1,))

    def hypothetical(self, target: Any, sources: list[Any], tape: Any) -> GradientQuestion | None:
        """The question as if it were asked now, and answered by None; None when its tape was not recorded.

        A tape that was used up has let go of TensorFlow's own object: then it is the one that was opened last.
        """
        held = getattr(getattr(tape, "_tape", None), "_tape", None)
        serial = self.serial(held) if held is not None else self._count
        if serial == 0 or self._created.get(serial, -1) < self._recorder.armed_at:
            return None
        known = len(self.questions)
        event = self._recorder.journal.position
        tensors = [each.handle if hasattr(each, "handle") else each for each in sources]
        self._ask(event, held, target, tensors, sources, [None] * len(sources), sys._getframe(1))
        question = msgspec.structs.replace(self.questions[known], tape=serial)
        del self.questions[known:]
        return question

    def _source(self, tensor: Any, raw: Any, position: int) -> Source:
        if not hasattr(tensor, "_id"):
            kind = type(tensor).__name__
            return Source(tensor=j.NUMPY, dtype=kind, position=position, made=self._recorder.assigned(tensor))
        variable = raw if hasattr(raw, "handle") else None
        known = self.variables.get(tensor._id)
        if variable is not None and known is None and variable.handle is tensor:
            self.know(variable)
            known = self.variables.get(tensor._id)
        shape = getattr(raw, "shape", None)
        return Source(
            tensor=tensor._id,
            variable=known is not None,
            trainable=known.trainable if known else None,
            name=known.name if known else "",
            dtype=known.dtype if known else dtype_name(tensor),
            differentiable_dtype=trainable(dtype_name(variable if variable is not None else tensor)),
            shape=tuple(shape) if shape is not None and shape.rank is not None else None,
            position=position,
        )


def _raw(sources: Any, rest: Any) -> Any:
    """The sources as the user gave them (Variable objects), where they match the flat ones."""
    raw = rest[1] if len(rest) > 1 else None
    return raw if raw is not None and len(raw) == len(sources) else sources


def trainable(dtype: str) -> bool:
    """Whether a tape records through this dtype. The tables are loaded with the first None."""
    from tensorwhy.adapters.tensorflow import tables

    return tables.trainable(dtype)


def dtype_name(value: Any) -> str:
    """`float32`; Keras 3's variables say it as a string, TensorFlow's as a DType that may be a reference."""
    dtype = value.dtype
    return dtype if isinstance(dtype, str) else str(getattr(dtype, "base_dtype", dtype).name)


_ARRAYS = (np.ndarray, np.generic, float, int)
_CALLBACK = "ops/script_ops.py"
_OWN_PURPOSES = ("eager/forwardprop.py", "ops/custom_gradient.py")


def _internal(frame: FrameType | None) -> bool:
    """Whether TensorFlow asks for its own purposes (forward mode, recomputation): nobody sees the None."""
    return _asker(frame).endswith(_OWN_PURPOSES)


def _asker(frame: FrameType | None) -> str:
    """The file of the code that called the tape's method; empty when there is none."""
    while frame is not None:
        file = frame.f_code.co_filename.replace("\\", "/")
        if not file.endswith(
            ("eager/backprop.py", "eager/imperative_grad.py", "tensorwhy/adapters/tensorflow/tapes.py")
        ):
            return file
        frame = frame.f_back
    return ""


_METHODS = {"reset", "stop_recording", "__exit__", "__enter__", "gradient", "jacobian", "batch_jacobian"}


def _method(frame: FrameType | None) -> str:
    """By which method of GradientTape the tape was opened or closed; empty when it was none of the known ones."""
    for _ in range(3):
        if frame is None:
            break
        if frame.f_code.co_name in _METHODS:
            return frame.f_code.co_name
        frame = frame.f_back
    return ""
