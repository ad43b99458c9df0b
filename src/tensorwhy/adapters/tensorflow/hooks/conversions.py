"""Where values come in from Python and NumPy, and where they leave."""

from __future__ import annotations

import functools
import sys
import threading
import weakref
from collections.abc import Callable
from types import CodeType, FrameType
from typing import Any

import numpy as np

from tensorwhy.adapters.patches import Patches
from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.adapters.tensorflow.tensor_ids import dtype_enum
from tensorwhy.recording import journal as j

_COUNTING = frozenset({int, bool, str})
"""What never carries a gradient's value in from Python: its line is not kept."""
_PLAIN = (float, list, tuple)
"""What is no array, and so the value of no tensor."""


_CONVERTING = frozenset({"__array__", "numpy", "value"})
"""Methods of variables, TensorFlow's and Keras's, by which a value leaves for whoever called them."""
_MOST_CODE = 2000
"""So many of the libraries' code objects are remembered."""


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


class Conversions:
    """Writes entries and exits."""

    def __init__(self, recorder: Recorder) -> None:
        self.arrays = Arrays()
        self._recorder = recorder

    def arm(self, patches: Patches) -> None:
        """Replace what is called for each value that comes or goes."""
        from tensorflow.python.framework import constant_op, ops

        patches.replace(constant_op, "convert_to_eager_tensor", self._wrap_entry)
        patches.replace(ops._EagerTensorBase, "_numpy", self._wrap_exit)
        patches.replace(ops._EagerTensorBase, "numpy", self._wrap_numpy)

    def _wrap_entry(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder, journal = self._recorder, self._recorder.journal
        recent, threads, get_ident = journal.recent, journal.threads, threading.get_ident
        headers = {kind: journal.header(j.ENTRY, kind.__name__, 0, 1) for kind in (*_COUNTING, *_PLAIN)}

        def entered(result: Any, value: Any, ctx: Any = None, dtype: Any = None) -> None:
            try:
                found = getattr(result, "_id", None)
                if found is None or getattr(value, "_id", None) == found:
                    return
                out, kind = found << 8 | dtype_enum(result), type(value)
                header = headers.get(kind)
                if header is not None:
                    thread = threads.get(get_ident())
                    header |= (journal.thread() if thread is None else thread) << j.THREAD_SHIFT
                    recent.extend((header, -1 if kind in _COUNTING else recorder.place(sys._getframe(1)), out))
                    return
                link = self._exit_of(value) if isinstance(value, np.ndarray) else ()
                journal.add(j.ENTRY, kind.__name__, recorder.place(sys._getframe(1)), link, (out,))
                if link and recorder.kept.on:
                    recorder.kept.link(found, link[0])
            except Exception as error:
                recorder.fail(error)

        def convert_to_eager_tensor(*args: Any, **kwargs: Any) -> Any:
            result = original(*args, **kwargs)
            if recorder.active:
                entered(result, *args, **kwargs)
            return result

        return recorder.around("ENTERED", original, entered, headers) or convert_to_eager_tensor

    def _wrap_exit(self, original: Callable[..., Any]) -> Callable[..., Any]:
        """`_numpy` is under every exit that Python can see: numpy(), float(), int(), bool(), __array__.

        Those that the user's own code asks for have their way in Python, compiled or not.
        """
        from tensorflow.python.framework import ops

        recorder, journal = self._recorder, self._recorder.journal
        # TensorFlow's `numpy`, and what `_wrap_numpy` puts around it.
        between = (ops.__file__, __file__)

        # Of a type the header of its exits; of a library's code, by its id, whether it asks for a value or hands it on.
        known: dict[Any, int] = {}
        held: list[CodeType] = []

        def learn(code: CodeType, asks: bool) -> None:
            if len(held) < _MOST_CODE and id(code) not in known:
                held.append(code)
                known[id(code)] = asks

        def exited(array: Any, tensor: Any) -> None:
            try:
                frame: FrameType | None = sys._getframe(1)
                while frame is not None and (
                    frame.f_code.co_filename in between
                    or (frame.f_code.co_name in _CONVERTING and not recorder.files[frame.f_code.co_filename])
                ):
                    learn(frame.f_code, asks=False)
                    frame = frame.f_back
                direct = frame is not None and recorder.files[frame.f_code.co_filename]
                name = type(array).__name__ + (j.DIRECT if direct else "")
                if frame is not None and not direct:
                    learn(frame.f_code, asks=True)
                    known[type(array)] = journal.header(j.EXIT, name, 1, 0)
                journal.add(j.EXIT, name, recorder.place(frame), (tensor._id,))
            except Exception as error:
                recorder.fail(error)

        def _numpy(tensor: Any) -> Any:
            array = original(tensor)
            if recorder.active:
                exited(array, tensor)
            return array

        return recorder.around("EXITED", original, exited, known) or _numpy

    def _wrap_numpy(self, original: Callable[..., Any]) -> Callable[..., Any]:
        recorder = self._recorder

        def numpy(tensor: Any) -> Any:
            array = original(tensor)
            if recorder.active and type(array) is np.ndarray:
                self.arrays.remember(array, tensor._id)
            return array

        return functools.wraps(original)(numpy)

    def _exit_of(self, array: Any) -> tuple[int, ...]:
        """The tensor whose `.numpy()` gave this very array, as a one-element tuple; empty when it is not known."""
        found = self.arrays.origin(array)
        return () if found is None else (found,)
