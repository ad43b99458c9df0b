"""The value of a variable, read where nobody sees it: no tape, no graph, no hook of ours and no journal.

`pywrap_tfe` is where every tool, this one too, puts its wrappers; the module below it keeps TensorFlow's own functions.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np


def read(handle: Any, dtype: Any) -> Any:
    """The value of an eager resource handle, as an eager tensor. `dtype` is a DType, or its name.

    Raises TensorFlow's own exception where there is no value yet.
    """
    from tensorflow.python import _pywrap_tfe
    from tensorflow.python.eager import context
    from tensorflow.python.framework import dtypes

    _pywrap_tfe.TFE_Py_TapeSetStopOnThread()
    try:
        base = dtypes.as_dtype(dtype).base_dtype
        return _pywrap_tfe.TFE_Py_FastPathExecute(context.context(), "ReadVariableOp", None, handle, "dtype", base)
    finally:
        _pywrap_tfe.TFE_Py_TapeSetRestartOnThread()


def value(handle: Any, dtype: Any) -> np.ndarray[Any, Any] | None:
    """The value of a numeric variable as an array.

    None where there is none: a variable of a graph, and one that a function makes while it is traced: it gets its value
    later, and until then it is empty or cannot be read.
    """
    import numpy as np
    from tensorflow.python.eager import core

    if not hasattr(handle, "_numpy"):
        return None
    try:
        array = np.asarray(memory(read(handle, dtype)))
    except core._NotOkStatusException:
        return None
    return array if array.size else None


def digest(variable: Any) -> bytes | None:
    """A fingerprint of a variable's value; None where it has none."""
    import hashlib

    array = value(variable.handle, variable.dtype)
    return None if array is None else hashlib.blake2b(array.tobytes(), digest_size=16).digest()


def memory(tensor: Any) -> Any:
    """A numeric eager tensor's own memory."""
    return tensor._numpy_internal() if hasattr(tensor, "_numpy_internal") else tensor
