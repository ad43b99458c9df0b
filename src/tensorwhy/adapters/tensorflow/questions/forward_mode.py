"""Forward mode: an accumulator is a tape that was told what to watch, and its `jvp` is the question.

A tangent gets to a tensor by the same operations by which a gradient would come back from it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec

from tensorwhy.adapters.tensorflow.gradients.rules import trainable
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.questions.asked import Questions
from tensorwhy.adapters.tensorflow.questions.tapes import Tapes
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_name, static_shape
from tensorwhy.lineage.tangents import Tangents
from tensorwhy.model.question import GradientQuestion, Source
from tensorwhy.recording import journal as j
from tensorwhy.recording.frames import locals_of

_ENTRY = "TFE_Py_ForwardAccumulator"
_OWN = "eager/forwardprop.py"


class _Tangents:
    """What TensorFlow was told to compute the tangents of an operation with: setting it tells TensorFlow."""

    def __init__(self) -> None:
        from tensorflow.python.eager import forwardprop

        vars(self)["function"] = forwardprop._jvp_dispatch

    def __setattr__(self, name: str, value: Any) -> None:
        from tensorflow.python import pywrap_tfe

        pywrap_tfe.TFE_Py_RegisterJVPFunction(value)
        vars(self)[name] = value


class ForwardMode:
    """Hooks on accumulators. What they watch is kept as plain descriptions, and what hands no tangent on by its id."""

    def __init__(self, recorder: Recorder, tapes: Tapes, questions: Questions) -> None:
        self._recorder = recorder
        self._tapes = tapes
        self._questions = questions
        self._watched: dict[int, list[Source]] = {}
        self._open: list[int] = []
        self._held: set[int] = set()
        self._pushed: dict[int, dict[int, frozenset[int]]] = {}
        self._called: set[int] = set()
        self.tangents = Tangents(self._held, self._pushed, self._called)

    def install(self) -> None:
        """Replace the entry points of accumulators."""
        from tensorflow.python import pywrap_tfe

        replace = self._recorder.patches.replace
        replace(pywrap_tfe, f"{_ENTRY}New", self._after(self._made))
        replace(pywrap_tfe, f"{_ENTRY}SetAdd", self._after(self._opened))
        replace(pywrap_tfe, f"{_ENTRY}SetRemove", self._after(self._closed))
        replace(pywrap_tfe, f"{_ENTRY}Watch", self._after(self._watch))
        replace(pywrap_tfe, f"{_ENTRY}JVP", self._after(self._asked))
        replace(pywrap_tfe, "TFE_Py_TapeSetRecordOperationForwardprop", self._after_call)
        replace(_Tangents(), "function", self._around_tangents)

    def forget(self, start: int, end: int) -> None:
        """Rows from `start` up to `end` are taken out of the journal."""
        for row in [row for row in self._pushed if start <= row < end]:
            del self._pushed[row]

    def _around_tangents(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def jvp_dispatch(op_name: str, attr_tuple: Any, inputs: Any, outputs: Any, *rest: Any, **named: Any) -> Any:
            found = original(op_name, attr_tuple, inputs, outputs, *rest, **named)
            if recorder.active and self._tapes.attention.armed:
                try:
                    self._held.update(made._id for made, tangent in zip(outputs, found) if tangent is None)
                    if op_name == "ReadVariableOp":
                        self._note_read(inputs[0], outputs)
                except Exception as error:
                    recorder.fail(error)
            return found

        return jvp_dispatch

    def _note_read(self, handle: Any, outputs: Any) -> None:
        """The value of a variable that is read: an operation that is given the variable reads it out of sight."""
        made: list[int] = []
        self._recorder.outputs_of(outputs, made)
        self._recorder.journal.add(j.RECORDED, "ReadVariableOp", -1, (j.variable(handle._id),), tuple(made))

    def _after_call(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def TFE_Py_TapeSetRecordOperationForwardprop(op_type: Any, outputs: Any, *args: Any) -> Any:
            result = original(op_type, outputs, *args)
            if recorder.active:
                try:
                    self._note_pushed(outputs, args[-1])
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_TapeSetRecordOperationForwardprop

    def _note_pushed(self, outputs: Any, pairs: Any) -> None:
        """Of a call that has just been recorded; `pairs` are, for each accumulator, outputs and their tangents."""
        row = self._tapes.by_hand.last
        if pairs is None or row < 0 or not self._open or not self._tapes.attention.armed:
            return
        self._called.update(outputs[tangent]._id for found in pairs for _, tangent in found)
        each = [frozenset(outputs[position]._id for position, _ in found) for found in pairs]
        if len(each) != len(self._open):  # within what computes a tangent: which is whose is not known
            each = [frozenset[int]().union(*each)] * len(self._open)
        self._pushed[row] = dict(zip(self._open, each))

    def _after(self, note: Callable[..., None]) -> Callable[..., Any]:
        recorder = self._recorder

        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def hooked(*args: Any) -> Any:
                result = original(*args)
                frame = sys._getframe(1)
                if recorder.active and frame.f_code.co_filename.replace("\\", "/").endswith(_OWN):
                    try:
                        note(frame, result, *args)
                    except Exception as error:
                        recorder.fail(error)
                return result

            return hooked

        return wrap

    def _made(self, frame: FrameType, accumulator: Any, *_: Any) -> None:
        serial = self._tapes.number(accumulator)
        place = self._recorder.place(frame)
        self._tapes.attention.opened(place)
        if not self._tapes.attention.armed:
            return
        self._watched[serial] = []
        self._recorder.journal.add(j.RECORDER_NEW, j.FORWARD, place, (serial, 1, 0))

    def _opened(self, frame: FrameType, _: Any, accumulator: Any) -> None:
        self._tapes.attention.open_tapes += 1
        self._recorder.write_all()
        serial = self._tapes.serial(accumulator)
        self._open.append(serial)
        if serial in self._watched:
            self._recorder.journal.add(j.RECORDER_ADD, j.FORWARD, self._recorder.place(frame), (serial,))

    def _closed(self, frame: FrameType, _: Any, accumulator: Any) -> None:
        self._tapes.attention.open_tapes -= 1
        serial = self._tapes.serial(accumulator)
        if serial in self._open:
            self._open.remove(serial)
        if serial in self._watched:
            self._recorder.journal.add(j.RECORDER_REMOVE, j.FORWARD, self._recorder.place(frame), (serial,))

    def _watch(self, frame: FrameType, _: Any, accumulator: Any, primal: Any, tangent: Any) -> None:
        serial = self._tapes.serial(accumulator)
        sources = self._watched.get(serial)
        if sources is None:
            return
        dtype = dtype_name(tangent)  # of a variable, the primal is its handle
        sources.append(
            Source(
                tensor=primal._id,
                dtype=dtype,
                differentiable_dtype=trainable(dtype),
                shape=static_shape(tangent),
                position=len(sources),
            )
        )
        self._recorder.journal.add(j.WATCH, "", self._recorder.place(frame), (serial, primal._id))

    def _asked(self, frame: FrameType, tangent: Any, accumulator: Any, target: Any) -> None:
        serial = self._tapes.serial(accumulator)
        place = self._recorder.place(frame)
        whole = self._tapes.created.get(serial, -1) >= self._recorder.armed_at
        armed = self._tapes.attention.armed
        self._tapes.updates.run.settle()
        self._tapes.attention.gradient(place, tangent is None, whole)
        zeros = locals_of(frame).get("unconnected_gradients")
        if tangent is None and armed and whole:
            if self._tapes.window is not None:
                self._tapes.window.need(self._tapes.created[serial], self._recorder.journal.position)
            question = self.question(serial, place, target)
            if getattr(zeros, "value", "none") == "none":
                self._questions.asked.append(question)
            else:
                self._questions.filled.append(msgspec.structs.replace(question, filled=True))

    def question(self, serial: int, place: int, target: Any) -> GradientQuestion:
        """The question for the tangent of a tensor: it needs a way from any of what the accumulator watches."""
        known = self._tapes.variables
        sources = tuple(
            Source(
                tensor=each.tensor,
                variable=each.tensor in known,
                trainable=known[each.tensor].trainable if each.tensor in known else None,
                name=known[each.tensor].name if each.tensor in known else "",
                dtype=each.dtype,
                differentiable_dtype=each.differentiable_dtype,
                shape=each.shape,
                position=each.position,
            )
            for each in self._watched.get(serial, ())
        )
        journal = self._recorder.journal
        return GradientQuestion(
            recorder_noun="accumulator",
            event=journal.position,
            place=place,
            recorder=serial,
            targets=(self._recorder.input_id(target),),
            sources=sources,
            asked=len(sources),
            all_sources=tuple(each.tensor for each in sources),
            location=journal.location(place),
            callers=tuple(frame.location for frame in journal.chain(place)[1:]),
        )
