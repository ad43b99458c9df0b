"""Python functions that TensorFlow calls eagerly: `numpy_function` is a plain call then, and no op tells of it."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.recording import journal as j


def install(recorder: Recorder) -> None:
    """Write an entry for what such a call returns, from what it was given, under the name that it has in a graph."""
    from tensorflow.python.eager import context
    from tensorflow.python.ops import script_ops

    def wrap(original: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(original)
        def py_func_common(func: Any, inp: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(func, inp, *args, **kwargs)
            if recorder.active:
                try:
                    if context.executing_eagerly():
                        given: list[int] = []
                        recorder.inputs_of(inp, given)
                        made: list[int] = []
                        recorder.outputs_of(result, made)
                        place = recorder.place(sys._getframe(1))
                        recorder.journal.add(j.ENTRY, "PyFunc", place, tuple(given), tuple(made))
                except Exception as error:
                    recorder.fail(error)
            return result

        return py_func_common

    recorder.patches.replace(script_ops, "py_func_common", wrap)
