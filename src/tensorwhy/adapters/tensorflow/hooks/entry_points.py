"""Do the replaced entry points see the operations here, and what else is there when they do not?

Generated code calls the kernels through attributes of one module, looked up at each call. A TensorFlow that binds them
otherwise would run past the hooks. That is read from the code objects: to run an operation would start TensorFlow, and
then the program could not choose its devices any more. The fallback is TensorFlow's own callback for operations.
"""

from __future__ import annotations

import inspect
import sys
from types import CodeType
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.recording import journal as j

LIMITS = (
    "the hooks cannot see operations in this build, so TensorFlow's own callbacks were used: operations of other "
    "threads and variables that kernels read directly were not observed"
)


def are_seen() -> bool:
    """Return whether a generated function looks the entry points up where we replace them."""
    from tensorflow.python import pywrap_tfe
    from tensorflow.python.eager import execute
    from tensorflow.python.ops import gen_math_ops

    function = inspect.unwrap(gen_math_ops.add_v2)
    code = getattr(function, "__code__", None)
    return (
        isinstance(code, CodeType)
        and "TFE_Py_FastPathExecute" in code.co_names
        and any(value is pywrap_tfe for value in function.__globals__.values())
        and "TFE_Py_Execute" in execute.quick_execute.__code__.co_names
        and any(value is pywrap_tfe for value in vars(execute).values())
    )


def use_callbacks(recorder: Recorder) -> None:
    """Write the eager operations of this thread from TensorFlow's own callback, as long as the recorder is active."""
    from tensorflow.python.framework import op_callbacks

    def callback(op_type: Any, inputs: Any, attrs: Any, outputs: Any, op_name: Any = None, graph: Any = None) -> None:
        if graph is not None or not recorder.active:
            return  # operations of graphs are seen where they are created
        try:
            given: list[int] = []
            recorder.inputs_of(inputs, given)
            made: list[int] = []
            recorder.outputs_of(outputs, made)
            name = op_type.decode() if isinstance(op_type, bytes) else str(op_type)
            recorder.journal.add(j.OP, name, recorder.place(sys._getframe(1)), tuple(given), tuple(made))
        except Exception as error:
            recorder.fail(error)

    op_callbacks.add_op_callback(callback)
    recorder.at_stop(lambda: op_callbacks.remove_op_callback(callback))
