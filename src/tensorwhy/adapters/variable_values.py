"""The value of a variable, read where nobody sees it: no tape, no graph, no hook of ours and no journal.

`pywrap_tfe` is where every tool, this one too, puts its wrappers; the module below it keeps TensorFlow's own functions.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    import numpy as np


def read(handle: Any, dtype: Any) -> Any:
    """The value of an eager resource handle, as an eager tensor. `dtype` is a DType, or its name.

    Raises TensorFlow's own exception where there is no value yet.
    """
    kernels, context, as_dtype, _ = _tensorflow()
    kernels.TFE_Py_TapeSetStopOnThread()
    try:
        base = as_dtype(dtype).base_dtype
        return kernels.TFE_Py_FastPathExecute(context(), "ReadVariableOp", None, handle, "dtype", base)
    finally:
        kernels.TFE_Py_TapeSetRestartOnThread()


def value(handle: Any, dtype: Any) -> np.ndarray[Any, Any] | None:
    """The value of a numeric variable as an array.

    None where there is none: a variable of a graph, and one that a function makes while it is traced: it gets its value
    later, and until then it is empty or cannot be read.
    """
    import numpy as np

    if not hasattr(handle, "_numpy"):
        return None
    try:
        array = np.asarray(memory(read(handle, dtype)))
    except _tensorflow().refusal:
        return None
    return array if array.size else None


class _TensorFlow(NamedTuple):
    kernels: Any
    context: Any
    as_dtype: Any
    refusal: type[Exception]


@functools.cache
def _tensorflow() -> _TensorFlow:
    """What is read with, looked up once: an import in a function costs as much as a small operation."""
    from tensorflow.python import _pywrap_tfe
    from tensorflow.python.eager import context, core
    from tensorflow.python.framework import dtypes

    return _TensorFlow(_pywrap_tfe, context.context, dtypes.as_dtype, core._NotOkStatusException)


def digest(variable: Any) -> bytes | None:
    """A fingerprint of a variable's value; None where it has none."""
    import hashlib

    array = value(variable.handle, variable.dtype)
    return None if array is None else hashlib.blake2b(array.tobytes(), digest_size=16).digest()


def memory(tensor: Any) -> Any:
    """A numeric eager tensor's own memory."""
    return tensor._numpy_internal() if hasattr(tensor, "_numpy_internal") else tensor
