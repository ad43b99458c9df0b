"""The life of gradient tapes: when each was opened, closed and told to watch, and what it was asked.

A tape is a serial number. TensorFlow's tape objects cannot be weakly referenced, but `TFE_Py_TapeSetNew` hands out each
new one, so that a reused `id()` is noticed while something records. What asks later goes by the GradientTape.
"""

from __future__ import annotations

import sys
import threading
import weakref
from collections.abc import Callable
from types import FrameType
from typing import Any

import msgspec

from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.tensorflow.graphs.details import GraphDetails
from tensorwhy.adapters.tensorflow.hooks.attention import Attention
from tensorwhy.adapters.tensorflow.hooks.by_hand import ByHand
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.hooks.window import Window
from tensorwhy.adapters.tensorflow.questions.endings import Endings
from tensorwhy.adapters.tensorflow.questions.outer import OuterResults
from tensorwhy.adapters.tensorflow.questions.signals import Signals
from tensorwhy.adapters.tensorflow.questions.stalled import Stalled
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_name, static_shape
from tensorwhy.adapters.tensorflow.variables.applied import Applications
from tensorwhy.adapters.tensorflow.variables.histories import Norms
from tensorwhy.adapters.tensorflow.variables.layers import Layers
from tensorwhy.adapters.tensorflow.variables.made_anew import MadeAnew
from tensorwhy.adapters.tensorflow.variables.optimizers import Optimizers
from tensorwhy.adapters.tensorflow.variables.updates import Updates
from tensorwhy.adapters.tensorflow.variables.zeros import Zeros
from tensorwhy.model.location import Location
from tensorwhy.model.question import Variable
from tensorwhy.recording import journal as j
from tensorwhy.recording.frames import locals_of

_KNOWN = 16
"""After so many calls a traced function that asks for gradients is known."""
_REMEMBERED = 10_000
"""Of so many tapes it is known when they were opened: of the last ones."""


class Tapes:
    """Hooks on tapes. `created`: tape -> the row at which it was opened; `count`: how many were."""

    def __init__(self, recorder: Recorder, attention: Attention) -> None:
        self.attention = attention
        self.by_hand = ByHand(recorder)
        self._recorder = recorder
        self._serials: dict[int, int] = {}
        self.count = 0
        self.created: dict[int, int] = {}
        self._holders: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._written: set[int] = set()
        self.variables: dict[int, Variable] = {}
        self._learned: set[int] = set()
        self.on_step: Callable[[int, int, bool, bool], None] | None = None
        self.window: Window | None = None
        self.optimizers = Optimizers(recorder)
        self.zeros = Zeros(recorder, attention.news)
        self.signals = Signals(recorder, attention.news)
        self.made_anew = MadeAnew()
        self.outer = OuterResults(recorder)
        self.stalled = Stalled(recorder.places.assigned)
        self.updates = Updates(recorder, self.stalled)
        self.endings = Endings(self.stalled, self.updates)
        self.updates.after, self.updates.fitted = self.endings.after, self.endings.fitted
        self.updates.on_run, self.updates.on_first = self._ran, self.asked_about
        self.updates.run.together, self.updates.run.is_known = self._called, self._is_known
        self.layers = Layers()
        self.graphs = GraphDetails()
        self.norms = Norms()
        self.updates.on_new = self.learn
        self.applied = Applications(recorder)
        self.applied.is_still, self.updates.on_still = self.updates.is_still, self.applied.stood_still
        recorder.ids.on_variable = self.know

    def install(self) -> None:
        """Replace the entry points of the tape."""
        from tensorflow.python import pywrap_tfe

        replace = self._recorder.patches.replace
        replace(pywrap_tfe, "TFE_Py_TapeSetNew", self._wrap_new)
        replace(pywrap_tfe, "TFE_Py_TapeSetAdd", self._after(j.RECORDER_ADD, self._added))
        replace(pywrap_tfe, "TFE_Py_TapeSetRemove", self._after(j.RECORDER_REMOVE, self._removed))
        replace(pywrap_tfe, "TFE_Py_TapeWatch", self._after(j.WATCH, self._watch))
        replace(pywrap_tfe, "TFE_Py_TapeWatchVariable", self._after(j.WATCH_VARIABLE, self._watch_variable))
        self.updates.install()
        self.applied.renew()

    def arm(self) -> None:
        """Replace what is called for each read of a variable, each pause and each call that is recorded by hand."""
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.framework import ops

        replace = self._recorder.per_operation.replace
        replace(pywrap_tfe, "TFE_Py_TapeVariableAccessed", self._after_often(j.ACCESS))
        replace(pywrap_tfe, "TFE_Py_TapeSetStopOnThread", self._after_often(j.STOP))
        replace(pywrap_tfe, "TFE_Py_TapeSetRestartOnThread", self._after_often(j.RESTART))
        replace(pywrap_tfe, "TFE_Py_TapeSetRecordOperation", self.by_hand.wrap)
        replace(pywrap_tfe, "TFE_Py_TapeSetRecordOperationBackprop", self.by_hand.wrap)
        replace(ops, "get_gradient_function", self.by_hand.looked_up)

    def tell_steps(self, step: Callable[[int, int, bool, bool], None]) -> None:
        """Have this called after each gradient that was asked for, in traced functions too."""
        self.on_step, self.updates.at_once = step, True

    def _ran(self, place: int, replica: int, lost: bool, whole: bool, times: int) -> None:
        self.attention.ran(place, lost, whole, times)
        if self.on_step is not None:
            self.on_step(place, replica, lost, whole)

    def _called(self, times: int) -> None:
        """A traced function was called so many times more."""
        if self.attention.open_tapes <= 0 and self.attention.armed:
            self._recorder.kept.called(times)
            if self.window is not None:
                self.window.called(times)

    def _is_known(self, function: int) -> bool:
        """Whether nothing new is expected of what a traced function gives: a training step, not what models compute."""
        if self.attention.always or self.on_step is not None or self.attention.open_tapes > 0:
            return False
        return self.updates.steps(function) >= _KNOWN

    def serial(self, tape: Any) -> int:
        """The number of a tape; 0 for one that was opened before recording began."""
        return self._serials.get(id(tape), 0)

    def held_by(self, tape: Any) -> int:
        """The number of what a GradientTape holds, or held until it was used up; 0 when it was not recorded."""
        return max((serial for serial, holder in list(self._holders.items()) if holder is tape), default=0)

    def askable(self, tape: Any) -> Any:
        """The GradientTape that a tape belongs to, where it may be asked again."""
        holder = self._holders.get(self.serial(tape))
        return holder if getattr(holder, "_persistent", False) else None

    def number(self, tape: Any) -> int:
        """Give a new tape its number."""
        self.count += 1
        self._serials[id(tape)] = self.count
        self.created[self.count] = self._recorder.journal.position
        return self.count

    def know(self, variable: Any) -> int:
        """Remember a variable's description; returns its handle's id."""
        handle: int = variable.handle._id
        if handle not in self.variables:
            self.variables[handle] = Variable(
                tensor=handle,
                name=getattr(variable, "path", None) or variable.name,  # Keras 3 names a weight by its path
                dtype=dtype_name(variable),
                shape=static_shape(variable),
                trainable=bool(variable.trainable),
                created=_created(variable),
            )
        return handle

    def asked_about(self, variable: Any) -> None:
        """A gradient is asked for a variable for the first time: by now it is known who wanted it to be made."""
        known, made = self.variables[self.know(variable)], creations.asked_for(variable)
        if made is not None:
            self.variables[known.tensor] = msgspec.structs.replace(known, created=made)

    def learn(self, handles: set[int]) -> None:
        """Gradients are asked for these variables: find their layers, once, and what those call them."""
        new = handles & self.variables.keys() - self._learned
        if not new:
            return
        self._learned |= new
        self.layers.learn(new)
        for handle in new & self.layers.by_handle.keys():
            named = self.layers.by_handle[handle].variable
            if named:
                self.variables[handle] = msgspec.structs.replace(self.variables[handle], name=named)

    def _after_often(self, kind: int) -> Callable[..., Any]:
        """A wrapper that writes one event without a line after each call: of a variable that is read, of a pause."""
        recorder, journal, know = self._recorder, self._recorder.journal, self.know
        recent, threads, get_ident = journal.recent, journal.threads, threading.get_ident
        header = journal.header(kind, "", int(kind == j.ACCESS), 0)

        def after(result: Any, *args: Any) -> None:
            try:
                thread = threads.get(get_ident())
                first = header | (journal.thread() if thread is None else thread) << j.THREAD_SHIFT
                recent.extend((first, -1, know(args[0])) if args else (first, -1))
                if len(recent) > j.RECENT:
                    journal.settle()
            except Exception as error:
                recorder.fail(error)

        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def hooked(*args: Any) -> Any:
                result = original(*args)
                if recorder.active and not recorder.is_silent():
                    after(result, *args)
                return result

            kind_of_hook = "ACCESSED" if kind == j.ACCESS else "MARKED"
            return recorder.around(kind_of_hook, original, after, self.variables, header) or hooked

        return wrap

    def _after(self, kind: int, describe: Callable[..., tuple[int, ...]]) -> Callable[..., Any]:
        """A wrapper that writes one event after each call."""
        recorder, journal = self._recorder, self._recorder.journal

        attention, written = self.attention, self._written

        def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
            def hooked(*args: Any) -> Any:
                result = original(*args)
                if recorder.active:
                    try:
                        inputs = describe(*args)
                        if attention.armed or inputs[0] in written:  # else each tape would fill the journal a little
                            frame = sys._getframe(1)
                            journal.add(kind, _method(frame), recorder.place(frame), inputs)
                    except Exception as error:
                        recorder.fail(error)
                return result

            return hooked

        return wrap

    def _opens(self) -> None:
        self.attention.open_tapes += 1
        self._recorder.write_all()

    def _forget(self, serial: int) -> None:
        self.created.pop(serial, None)
        self._holders.pop(serial, None)
        self._written.discard(serial)

    def _added(self, tape: Any) -> tuple[int, ...]:
        self._opens()
        return (self.serial(tape),)

    def _removed(self, tape: Any) -> tuple[int, ...]:
        self.attention.open_tapes -= 1
        return (self.serial(tape),)

    def _watch(self, tape: Any, tensor: Any) -> tuple[int, ...]:
        return (self.serial(tape), self._recorder.input_id(tensor))

    def _watch_variable(self, tape: Any, variable: Any) -> tuple[int, ...]:
        return (self.serial(tape), self.know(variable))

    def _wrap_new(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self._recorder, self._recorder.journal

        def TFE_Py_TapeSetNew(persistent: bool, watch_accessed_variables: bool) -> Any:
            tape = original(persistent, watch_accessed_variables)
            if recorder.active:
                try:
                    serial = self.number(tape)
                    frame = sys._getframe(1)
                    place = recorder.place(frame)
                    recorder.kept.opened(place)
                    self.attention.opened(place)
                    if self.window is not None and self.attention.open_tapes <= 0 and self.attention.armed:
                        self.window.began(journal.position)
                    self._opens()
                    self._forget(serial - _REMEMBERED)
                    holder = _holder(frame)
                    if holder is not None:
                        self._holders[serial] = holder
                    if self.attention.armed:
                        self._written.add(serial)
                        inputs = (serial, int(persistent), int(watch_accessed_variables))
                        journal.add(j.RECORDER_NEW, _method(frame), place, inputs)
                except Exception as error:
                    recorder.fail(error)
            return tape

        return TFE_Py_TapeSetNew


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


def _holder(frame: FrameType) -> Any:
    """The GradientTape that opens a tape; None for what TensorFlow opens by itself."""
    above = frame.f_back
    opens = above is not None and above.f_code.co_name == "_push_tape"
    return locals_of(above).get("self") if above is not None and opens else None


def _created(variable: Any) -> Location | None:
    """The user's line that made a variable, as it was noted then: Keras may fill a weight later, from elsewhere."""
    from tensorwhy.adapters.keras_common import creations

    return creations.made(variable)
