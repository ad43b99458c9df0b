"""The hot path: writes every op, eager or traced, into the journal.

All generated `gen_*` modules call the kernels through attributes of `pywrap_tfe`, so replacing those attributes sees
every op of every thread. The wrappers are written for speed: one tuple-free pass over the arguments, one `extend`.
What a wrapper does after TensorFlow's own call is in a bulkhead: if it fails, recording switches itself off with one
line, and the program goes on.
"""

from __future__ import annotations

import functools
import sys
import threading
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np
from tensorflow.python.framework import ops

from tensorwhy.adapters.tensorflow.kept import Keeper
from tensorwhy.adapters.tensorflow.patches import Patches
from tensorwhy.model.location import Location
from tensorwhy.recording import journal as j
from tensorwhy.recording.locations import UserCode, of_frame
from tensorwhy.recording.sources import Sources

_AUTOGRAPH = "__autograph_generated_file"
_AUTOGRAPH_RUNTIME = "/autograph/"


class UserFiles(dict[str, bool]):
    """File name of a code object -> whether places in it are the user's. Filled as files are met."""

    def __init__(self, user: UserCode) -> None:
        super().__init__()
        self._user = user

    def __missing__(self, file: str) -> bool:
        # Generated code counts as the user's until its source map says that a library function was converted.
        owned = self[file] = _AUTOGRAPH in file or self._user.owns(file)
        return owned


class Recorder:
    """Writes into one journal. `active` is read by every wrapper, so that a stopped recorder costs one attribute."""

    def __init__(self, journal: j.Journal, user: UserCode) -> None:
        self.journal = journal
        self.files = UserFiles(user)
        self.arrays = Arrays()
        self.active = True
        self.failure: str | None = None
        self.patches = Patches()
        self.per_operation = Patches()
        self.kept = Keeper(ops.EagerTensor, self._read)
        self._execute: Callable[..., Any] | None = None
        self.also_armed: list[Callable[[], None]] = []
        self.armed_at = 0
        self.within: dict[int, int] = {}
        self.on_trace: Callable[[], None] = lambda: None
        self.on_variable: Callable[[Any], None] = lambda variable: None
        self._on_failure: list[Callable[[], None]] = []

    # -- where ---------------------------------------------------------------------------------------------------

    def place(self, frame: FrameType | None) -> int:
        """The place of the nearest user frame at or above `frame`; -1 when there is none.

        All user frames are in the key, not the innermost alone: a layer that is called from two lines stands at the
        same instruction both times, with only the framework's frames in between.
        """
        files = self.files
        innermost = None
        key = 0
        while frame is not None:
            code = frame.f_code
            if files[code.co_filename]:
                if innermost is None:
                    innermost = frame
                key = hash((key, id(code), frame.f_lasti))
                if code.co_name == "<module>":
                    break
            frame = frame.f_back
        if innermost is None:
            return -1
        place = self.journal.place_index.get(key)
        return self.new_place(key, innermost) if place is None else place

    def leave(self, thread: int, before: int | None) -> None:
        """End what was begun by setting `within`: back to the place that counted before, if any."""
        if before is None:
            self.within.pop(thread, None)
        else:
            self.within[thread] = before

    def new_place(self, key: int, frame: FrameType | None) -> int:
        """Walk the whole stack once, for a place that was not met before."""
        chain: list[tuple[CodeType, int, bool]] = []
        between = False
        while frame is not None:
            code = frame.f_code
            if self.files[code.co_filename]:
                if chain:
                    inner = chain[-1]
                    chain[-1] = (inner[0], inner[1], not between)
                chain.append((code, frame.f_lasti, True))
                between = False
                if code.co_name == "<module>":
                    break  # below are the frames that started the program, or imported this module
            elif _AUTOGRAPH_RUNTIME not in code.co_filename:
                between = True
            frame = frame.f_back
        return self.journal.place(key, tuple(chain))

    def assigned(self, value: Any) -> Location | None:
        """Where the outermost user function on the stack that holds this very object gave it its name.

        Reads the locals of live frames, so it is only for questions that have already failed.
        """
        frame: FrameType | None = sys._getframe(1)
        found = None
        while frame is not None:
            if self.files[frame.f_code.co_filename]:
                names = {name for name, held in frame.f_locals.items() if held is value}
                found = Sources().assignment(of_frame(frame), names) or found
            frame = frame.f_back
        return found

    # -- the bulkhead --------------------------------------------------------------------------------------------

    def fail(self, error: Exception) -> None:
        """A hook failed: take all hooks out, say so once, and never disturb the program."""
        if self.failure is None:
            self.failure = f"{type(error).__name__}: {error}"
            self.stop()
            print(f"tensorwhy: recording stopped, a hook failed ({self.failure})", file=sys.stderr)

    def stop(self) -> None:
        """Stop recording and give TensorFlow its own functions back."""
        self.active = False
        self.per_operation.restore()
        self.patches.restore()
        for undo in self._on_failure:
            undo()
        self._on_failure.clear()

    def at_stop(self, undo: Callable[[], None]) -> None:
        """Also call this when recording stops."""
        self._on_failure.append(undo)

    # -- tensors as integers -------------------------------------------------------------------------------------

    def input_id(self, value: Any) -> int:
        """The journal's integer for anything that can stand where a tensor is expected."""
        found = getattr(value, "_id", None)
        if type(found) is int:
            return found
        handle = getattr(value, "handle", None)
        if handle is not None and type(getattr(handle, "_id", None)) is int:
            self.on_variable(value)
            return j.variable(handle._id)
        if isinstance(value, np.ndarray):
            return j.NUMPY
        return j.PYTHON

    def handle_of(self, variable: Any) -> int:
        """The id of a variable's resource handle; -1 when it has none. Keras 3 wraps the variable once more."""
        inner = getattr(variable, "value", None) if not hasattr(variable, "handle") else variable
        found = getattr(getattr(inner, "handle", None), "_id", None)
        return found if type(found) is int else -1

    def inputs_of(self, values: Any, into: list[int]) -> None:
        """Append the integers of a possibly nested sequence."""
        for value in values:
            if isinstance(value, (list, tuple)):
                self.inputs_of(value, into)
            else:
                into.append(self.input_id(value))

    def outputs_of(self, value: Any, into: list[int]) -> None:
        """Append `id << 8 | dtype` of every tensor in a result (a tensor, None, or nested lists of tensors)."""
        if value is None:
            return
        if isinstance(value, (list, tuple)):
            for item in value:
                self.outputs_of(item, into)
            return
        found = getattr(value, "_id", None)
        if type(found) is int:
            into.append(found << 8 | (dtype_enum(value) & 0xFF))

    # -- the wrappers --------------------------------------------------------------------------------------------

    def install(self) -> None:
        """Replace the graph's op constructor, and the kernels' entry points."""
        from tensorflow.python.framework import ops

        self.patches.replace(ops.Graph, "_create_op_internal", self._wrap_create_op)
        self.arm()

    def arm(self) -> None:
        """Replace everything that is called for each operation. Undone by `disarm`."""
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.framework import constant_op, ops

        replace = self.per_operation.replace
        replace(pywrap_tfe, "TFE_Py_FastPathExecute", self._wrap_fast_path)
        replace(pywrap_tfe, "TFE_Py_Execute", self._wrap_execute)
        replace(pywrap_tfe, "TFE_Py_ExecuteCancelable", self._wrap_execute)
        replace(constant_op, "convert_to_eager_tensor", self._wrap_entry)
        replace(ops._EagerTensorBase, "_numpy", self._wrap_exit)
        replace(ops._EagerTensorBase, "numpy", self._wrap_numpy)
        for install in self.also_armed:
            install()
        self.armed_at = self.journal.position

    def disarm(self) -> None:
        """Let TensorFlow run its own functions for each operation again."""
        self.per_operation.restore()

    def _wrap_fast_path(self, original: Callable[..., Any]) -> Callable[..., Any]:
        from tensorflow.python.framework import ops

        eager_tensor = ops.EagerTensor
        recorder, journal, kept = self, self.journal, self.kept
        self._execute = original
        extend, place_index, files = journal.rows.extend, journal.place_index, self.files
        get_frame, get_ident, threads = sys._getframe, threading.get_ident, journal._threads
        within = self.within
        known: dict[str, tuple[int, int]] = {}

        def learn(op_name: str) -> tuple[int, int]:
            n_in = input_count(op_name)
            header = journal.name(op_name) << j.NAME_SHIFT | n_in << j.IN_SHIFT | 1 << j.OUT_SHIFT
            known[op_name] = n_in, header
            return n_in, header

        # Each line of this function is paid for by every operation of the program. `args` are passed on as they came;
        # one or two tensors in and one out, which is nearly everything, take the short way.
        def TFE_Py_FastPathExecute(*args: Any) -> Any:
            result = original(*args)
            if not recorder.active:
                return result
            try:
                if kept.on:
                    kept.call("fast", args[1], args[3:], result)
                n_in, header = known.get(args[1]) or learn(args[1])
                ident = get_ident()
                place = within.get(ident)
                if place is None:
                    frame = get_frame(1)  # from here as in `place`, spelled out: a call costs more than the work
                    innermost, key = None, 0
                    while frame is not None:
                        code = frame.f_code
                        if files[code.co_filename]:
                            key = hash((key, id(code), frame.f_lasti))
                            if innermost is None:
                                innermost = frame
                            if code.co_name == "<module>":
                                break
                        frame = frame.f_back
                    place = place_index.get(key)
                    if place is None:
                        place = -1 if innermost is None else recorder.new_place(key, innermost)
                thread = threads.get(ident)
                if thread:
                    header |= thread << j.THREAD_SHIFT
                elif thread is None:
                    header |= journal.thread() << j.THREAD_SHIFT
                if type(result) is eager_tensor:
                    if n_in == 2:
                        first, second = args[3], args[4]
                        if type(first) is eager_tensor and type(second) is eager_tensor:
                            made = result._id << 8 | result._datatype_enum()
                            extend((header, place, first._id, second._id, made))
                            return result
                    elif n_in == 1:
                        first = args[3]
                        if type(first) is eager_tensor:
                            extend((header, place, first._id, result._id << 8 | result._datatype_enum()))
                            return result
                recorder.write(header, place, args[3 : 3 + n_in], result)
            except Exception as error:
                recorder.fail(error)
            return result

        return TFE_Py_FastPathExecute

    def write(self, header: int, place: int, inputs: tuple[Any, ...], result: Any) -> None:
        """The long way of an eager operation: any number of inputs and outputs, lists among them."""
        row = [0, place]
        self.inputs_of(inputs, row)
        n_in = len(row) - 2
        self.outputs_of(result, row)
        row[0] = header & ~j.COUNTS | n_in << j.IN_SHIFT | (len(row) - 2 - n_in) << j.OUT_SHIFT
        self.journal.rows.extend(row)

    def _wrap_execute(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self, self.journal

        def TFE_Py_Execute(context: Any, device: Any, op_name: Any, inputs: Any, attrs: Any, *rest: Any) -> Any:
            result = original(context, device, op_name, inputs, attrs, *rest)
            if recorder.active:
                try:
                    ids: list[int] = []
                    recorder.inputs_of(inputs, ids)
                    outs: list[int] = []
                    recorder.outputs_of(result, outs)
                    name = op_name.decode() if isinstance(op_name, bytes) else str(op_name)
                    journal.add(j.OP, name, recorder.place(sys._getframe(1)), tuple(ids), tuple(outs))
                    if recorder.kept.on:
                        recorder.kept.call("slow", name, (inputs, attrs, *rest), result)
                except Exception as error:
                    recorder.fail(error)
            return result

        return TFE_Py_Execute

    def _wrap_create_op(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self, self.journal

        def _create_op_internal(graph: Any, op_type: str, inputs: Any, *args: Any, **kwargs: Any) -> Any:
            op = original(graph, op_type, inputs, *args, **kwargs)
            if recorder.active:
                try:
                    recorder.on_trace()
                    outs = tuple([t._id << 8 | (t.dtype.as_datatype_enum & 0xFF) for t in op.outputs])
                    ins = tuple([t._id for t in inputs])
                    name = _with_functions(op, op_type) if op_type in _CALLING else op_type
                    journal.add(j.GRAPH_OP, name, recorder.place(sys._getframe(1)), ins, outs)
                except Exception as error:
                    recorder.fail(error)
            return op

        return _create_op_internal

    def _wrap_entry(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self, self.journal

        def convert_to_eager_tensor(value: Any, ctx: Any, dtype: Any = None) -> Any:
            result = original(value, ctx, dtype)
            if recorder.active:
                try:
                    found = getattr(result, "_id", None)
                    if found is not None and getattr(value, "_id", None) != found:
                        outs = (found << 8 | dtype_enum(result),)
                        if type(value) in _COUNTING:
                            journal.add(j.ENTRY, type(value).__name__, -1, (), outs)
                        else:
                            place, link = recorder.place(sys._getframe(1)), recorder.exit_of(value)
                            journal.add(j.ENTRY, type(value).__name__, place, link, outs)
                            if link and recorder.kept.on:
                                recorder.kept.link(found, link[0])
                except Exception as error:
                    recorder.fail(error)
            return result

        return convert_to_eager_tensor

    def _wrap_exit(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """`_numpy` is under every exit that Python can see: numpy(), float(), int(), bool(), __array__."""
        recorder, journal = self, self.journal
        own_file = original.__code__.co_filename

        def _numpy(tensor: Any) -> Any:
            array = original(tensor)
            if recorder.active:
                try:
                    frame: FrameType | None = sys._getframe(1)
                    while frame is not None and frame.f_code.co_filename == own_file:
                        frame = frame.f_back
                    direct = frame is not None and recorder.files[frame.f_code.co_filename]
                    name = type(array).__name__ + (j.DIRECT if direct else "")
                    journal.add(j.EXIT, name, recorder.place(frame), (tensor._id,))
                except Exception as error:
                    recorder.fail(error)
            return array

        return _numpy

    def _wrap_numpy(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self

        def numpy(tensor: Any) -> Any:
            array = original(tensor)
            if recorder.active and type(array) is np.ndarray:
                recorder.arrays.remember(array, tensor._id)
            return array

        return functools.wraps(original)(numpy)

    def _read(self, variable: Any) -> Any:
        """The value of a variable, read where neither a tape nor the journal sees it."""
        from tensorflow.python import pywrap_tfe
        from tensorflow.python.eager import context
        from tensorflow.python.framework import dtypes

        assert self._execute is not None
        pause, go_on = (
            self.patches.original(pywrap_tfe, name)
            for name in ("TFE_Py_TapeSetStopOnThread", "TFE_Py_TapeSetRestartOnThread")
        )
        pause()
        try:
            dtype = dtypes.as_dtype(variable.dtype).base_dtype
            return self._execute(context.context(), "ReadVariableOp", None, variable.handle, "dtype", dtype)
        finally:
            go_on()

    def exit_of(self, value: Any) -> tuple[int, ...]:
        """The tensor whose `.numpy()` gave this very array, as a one-element tuple; empty when it is not known."""
        if not isinstance(value, np.ndarray):
            return ()
        found = self.arrays.origin(value)
        return () if found is None else (found,)


class Arrays:
    """Which tensor an array came from, for as long as the array lives. Holds no array."""

    def __init__(self) -> None:
        self._known: dict[int, tuple[weakref.ref[Any], int]] = {}

    def remember(self, array: Any, tensor: int) -> None:
        """`array` holds the value of `tensor`."""
        key = id(array)
        self._known[key] = (weakref.ref(array, lambda _: self._known.pop(key, None)), tensor)

    def origin(self, array: Any) -> int | None:
        """The tensor that this array, or the array that it is a view of, came from."""
        while isinstance(array, np.ndarray):
            known = self._known.get(id(array))
            if known is not None and known[0]() is array:
                return known[1]
            array = array.base
        return None


_COUNTING = frozenset({int, bool, str})
"""What never carries a gradient's value in from Python: its line is not kept."""

_CALLING = frozenset(
    {
        "PartitionedCall",
        "StatefulPartitionedCall",
        "While",
        "StatelessWhile",
        "If",
        "StatelessIf",
        "Case",
        "StatelessCase",
        "SymbolicGradient",
        "RemoteCall",
    }
)


def _with_functions(op: Any, op_type: str) -> str:
    """`While|cond_name|body_name`: an op that calls functions carries their names, branches in order."""
    functions = [
        item.name
        for key in ("f", "cond", "body", "then_branch", "else_branch", "branches")
        if key in op.node_def.attr
        for item in (op.node_def.attr[key].list.func or [op.node_def.attr[key].func])
    ]
    return "|".join([op_type, *functions])


def dtype_enum(tensor: Any) -> int:
    """The DataType number of any tensor; reference dtypes fold onto their base."""
    get = getattr(tensor, "_datatype_enum", None)
    return get() if get is not None else tensor.dtype.as_datatype_enum & 0xFF


def input_count(op_name: str) -> int:
    """How many leading positional arguments of a fast-path call are inputs."""
    from tensorflow.python.framework import op_def_registry

    definition = op_def_registry.get(op_name)
    return len(definition.input_arg) if definition is not None else 0
