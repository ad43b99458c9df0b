"""The hot path: writes every eager operation into the journal.

All generated `gen_*` modules call the kernels through attributes of `pywrap_tfe`, so replacing those attributes sees
every operation of every thread. `FastPath` is written for speed; `recording/_fast.c` does the same several times
faster, and is used where it was built. Both leave what is rare to `FastPath.general`, in which a failure switches
recording off with one line, and the program goes on.
"""

from __future__ import annotations

import operator
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any

from tensorflow.python.framework import ops

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import input_count
from tensorwhy.recording import journal as j
from tensorwhy.recording.hot_path import compiled, is_compiled


def install_compiled(recorder: Recorder, path: FastPath) -> None:
    """Let the compiled recorder write into the journal and name the places. Does nothing where it was not built."""
    if not is_compiled():
        return
    journal, places = recorder.journal, recorder.places
    journal.recent = compiled.Recent()
    path.native = compiled.FastPath(
        recorder=recorder,
        keeper=recorder.kept,
        general=path.general,
        known=path.known,
        files=places.files,
        within=places.within,
        place_index=journal.place_index,
        threads=journal.threads,
        recent=journal.recent,
        settle=journal.settle,
        tensor=ops.EagerTensor,
        unwritten=recorder.unwritten,
    )
    places.key = path.native.key  # type: ignore[method-assign]


class FastPath:
    """Wraps `TFE_Py_FastPathExecute` and `TFE_Py_Execute`. `known`: operation -> header of its row, with its inputs."""

    def __init__(self, recorder: Recorder) -> None:
        self.known: dict[str, int] = {}
        self.native: Any = None
        self._recorder = recorder

    def general(self, args: tuple[Any, ...], result: Any, frame: FrameType | None = None) -> None:
        """Any operation, by the long way: `args` are those of the call, `frame` is the caller's when it is given."""
        recorder = self._recorder
        try:
            name = args[1]
            if recorder.kept.on:
                recorder.kept.call("fast", name, args[3:], result)
            header = self.known.get(name)
            if header is None:
                header = self._learn(name)
            place = recorder.places.within.get(threading.get_ident())
            if place is None:
                place = recorder.place(frame or sys._getframe(1))
            row = [0, place]
            recorder.inputs_of(args[3 : 3 + (header >> j.IN_SHIFT & 0xFFFF)], row)
            n_in = len(row) - 2
            recorder.outputs_of(result, row)
            counts = n_in << j.IN_SHIFT | (len(row) - 2 - n_in) << j.OUT_SHIFT
            row[0] = header & ~j.COUNTS | counts | recorder.journal.thread() << j.THREAD_SHIFT
            recorder.journal.recent.extend(row)
            if len(recorder.journal.recent) > j.RECENT:
                recorder.journal.settle()
        except Exception as error:
            recorder.fail(error)

    def _learn(self, name: str) -> int:
        header = self._recorder.journal.name(name) << j.NAME_SHIFT | input_count(name) << j.IN_SHIFT | 1 << j.OUT_SHIFT
        self.known[name] = header
        return header

    def wrap(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """The replacement for `TFE_Py_FastPathExecute`."""
        if self.native is not None:
            wrapper: Callable[..., Any] = self.native.wrap(original)
            return wrapper
        return self._interpreted(original)

    def _interpreted(self, original: Callable[..., Any]) -> Callable[..., Any]:
        eager_tensor, enum = ops.EagerTensor, ops.EagerTensor._datatype_enum
        recorder, journal, kept, general = self._recorder, self._recorder.journal, self._recorder.kept, self.general
        recent, known, place_index = journal.recent, self.known, journal.place_index
        files, within, new_place = recorder.places.files, recorder.places.within, recorder.places.new
        extend, get_frame, get_ident, threads = recent.extend, sys._getframe, threading.get_ident, journal.threads
        no_output = ~(0xFFFF << j.OUT_SHIFT)

        # Each line of this function is paid for by every operation of the program, which is why it looks as it does.
        # What it needs stands in local names, because a global or an attribute is looked up in a dict each time.
        # Nothing is called that can be spelled out: the walk over the frames repeats `Places.key`, and the shifts are
        # numbers. `args` are passed on as they came, without names: to bind keywords costs as much as to write the row.
        # One or two tensors in and one out, which is nearly everything, take the short way; whatever else comes, and a
        # name that is met for the first time, goes through `general`, where clarity costs nothing. The row is written
        # by one `extend`, because that is the only thing here that other threads cannot interrupt.
        def TFE_Py_FastPathExecute(*args: Any) -> Any:
            result = original(*args)
            if not recorder.active:
                return result
            try:
                header = known.get(args[1])
                if header is None or kept.on:
                    general(args, result, get_frame(1))
                    return result
                n_in = header >> 28 & 0xFFFF
                if type(result) is not eager_tensor and (result is not None or n_in != 2):  # an assignment gives None
                    general(args, result, get_frame(1))
                    return result
                first: Any = args[3] if n_in else None
                second: Any = args[4] if n_in == 2 else None
                if n_in > 2 or type(first) is not eager_tensor or (n_in == 2 and type(second) is not eager_tensor):
                    general(args, result, get_frame(1))
                    return result
                ident = get_ident()
                place = within.get(ident)
                if place is None:
                    # From here as in `Places.key`, spelled out: a call costs more than the work.
                    frame: FrameType | None = get_frame(1)
                    while frame is not None and not files[frame.f_code.co_filename]:
                        frame = frame.f_back
                    innermost, key = frame, 0
                    while frame is not None:
                        code = frame.f_code
                        if files[code.co_filename]:
                            key = hash((key, id(code), frame.f_lasti))
                            if code.co_name == "<module>":
                                break
                        frame = frame.f_back
                    place = place_index.get(key)
                    if place is None:
                        place = -1 if innermost is None else new_place(key, innermost)
                thread = threads.get(ident)
                if thread:
                    header |= thread << 4
                elif thread is None:
                    header |= journal.thread() << 4
                if result is None:
                    extend((header & no_output, place, first._id, second._id))
                elif n_in == 2:
                    extend((header, place, first._id, second._id, result._id << 8 | enum(result)))
                else:
                    extend((header, place, first._id, result._id << 8 | enum(result)))
                if len(recent) > j.RECENT:
                    journal.settle()
            except Exception as error:
                recorder.fail(error)
            return result

        return TFE_Py_FastPathExecute

    def wrap_execute(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """The replacement for `TFE_Py_Execute` and its like: calls of traced functions, and what is rare."""
        recorder, journal = self._recorder, self._recorder.journal
        recent, place, threads, get_ident = journal.recent, recorder.place, journal.threads, threading.get_ident
        names: dict[Any, int] = {}  # the header that begins a row; it counts one input where it is of a traced function
        kept = recorder.kept
        plain, of_id = {ops.EagerTensor}, operator.attrgetter("_id")

        def executed(result: Any, context: Any, device: Any, op_name: Any, inputs: Any, attrs: Any, *rest: Any) -> None:
            try:
                header = names.get(op_name)
                if header is None:
                    function = kept.is_function(_text(op_name))
                    header = names[op_name] = journal.header(j.OP, _text(op_name), int(function), 0)
                    recorder.on_function(_text(op_name), sys._getframe(1))
                row = [0, place(sys._getframe(1))]
                if set(map(type, inputs)) == plain:  # a traced function takes dozens, one for each variable in it
                    row.extend(map(of_id, inputs))
                else:
                    recorder.inputs_of(inputs, row)
                n_in = len(row) - 2
                recorder.outputs_of(result, row)
                counts = n_in << j.IN_SHIFT | (len(row) - 2 - n_in) << j.OUT_SHIFT
                thread = threads.get(get_ident())
                thread = journal.thread() if thread is None else thread
                row[0] = header & ~j.COUNTS | counts | thread << j.THREAD_SHIFT
                recent.extend(row)
                if len(recent) > j.RECENT:
                    journal.settle()
                if kept.on and (kept.calls or not header & j.COUNTS):
                    kept.call("slow", _text(op_name), (inputs, attrs, *rest), result)
            except Exception as error:
                recorder.fail(error)

        def TFE_Py_Execute(*args: Any) -> Any:
            result = original(*args)
            if recorder.active and not recorder.is_silent():
                executed(result, *args)
            return result

        return self.around("EXECUTED", original, executed, names) or TFE_Py_Execute

    def around(
        self,
        kind: str,
        original: Callable[..., Any],
        after: Callable[..., None],
        headers: Any,
        header: int = 0,
    ) -> Callable[..., Any] | None:
        """The compiled wrapper of what is called often, which leaves what is rare to `after`; None when not built.

        `after` is given the result and the arguments. See `Hook` in `recording/_fast.c` for the kinds and headers.
        """
        if self.native is None:
            return None
        hook: Callable[..., Any] = self.native.hook(getattr(compiled, kind), original, after, headers, header)
        return hook


def _text(op_name: Any) -> str:
    return op_name.decode() if isinstance(op_name, bytes) else str(op_name)
