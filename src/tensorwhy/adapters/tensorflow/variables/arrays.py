"""The values of eager tensors and variables as arrays, without a copy where that is possible."""

from __future__ import annotations

from typing import Any

import numpy as np
from tensorflow.python.framework import dtypes

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.tensorflow.tensor_ids import resource

_FEW = 64


def array_of(value: Any) -> np.ndarray[Any, Any] | None:
    """The value of an eager tensor or variable, without a copy where that is possible; None for everything else.

    NumPy reads eager tensors through C's buffer protocol, so no hook sees it, and no tape.
    """
    if resource(value) is not None:
        return variable_value(value)
    if isinstance(value, (float, int, np.ndarray)):
        return np.asarray(value)
    if not hasattr(value, "_datatype_enum") or not value.dtype.is_numpy_compatible:
        return None
    if value.dtype.is_floating or value.dtype.is_complex or value.dtype.is_integer or value.dtype.is_bool:
        return np.asarray(variable_values.memory(value))
    return None


def broken(tensor: Any) -> int:
    """How many numbers of an eager tensor are NaN or infinite; 0 where it holds none that can be seen."""
    array = array_of(tensor)
    real = array is not None and (array.dtype.kind in "fc" or array.dtype.name == "bfloat16")
    return int(np.count_nonzero(~np.isfinite(array))) if array is not None and real else 0


def variable_value(variable: Any) -> np.ndarray[Any, Any] | None:
    """The value of an eager variable of real or complex numbers; None where there is none to read."""
    handle = resource(variable)
    if not hasattr(handle, "_numpy"):
        return None
    dtype = dtypes.as_dtype(variable.dtype)  # Keras 3 says it as a string
    return variable_values.value(handle, dtype) if dtype.is_floating or dtype.is_complex else None


def is_zero(array: np.ndarray[Any, Any]) -> bool:
    """Return whether an array is zero everywhere: most are not, and show it in a few elements."""
    if array.size and array.item(0):
        return False
    flat = array.reshape(-1)
    few = flat[:: max(1, flat.size // _FEW)]
    return not few.any() and not flat.any()
