"""Tensors as integers: what the journal keeps of anything that can stand where a tensor is expected."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import numpy as np

from tensorwhy.recording import journal as j


class TensorIds:
    """Integers of inputs and outputs. `on_variable` is told of each variable that a kernel was given as it is."""

    def __init__(self) -> None:
        self.on_variable: Callable[[Any], object] = lambda variable: None

    def of_input(self, value: Any) -> int:
        """The journal's integer for one input."""
        found = getattr(value, "_id", None)
        if type(found) is int:
            return found
        handle = resource(value)
        if handle is not None and type(getattr(handle, "_id", None)) is int:
            self.on_variable(value)
            return j.variable(handle._id)
        if isinstance(value, np.ndarray):
            return j.NUMPY
        return j.PYTHON

    def of_inputs(self, values: Any, into: list[int]) -> None:
        """Append the integers of a possibly nested sequence."""
        for value in values:
            if isinstance(value, (list, tuple)):
                self.of_inputs(value, into)
            else:
                into.append(self.of_input(value))

    def of_outputs(self, value: Any, into: list[int]) -> None:
        """Append `id << 8 | dtype` of every tensor in a result (a tensor, None, or nested lists of tensors)."""
        if value is None:
            return
        if isinstance(value, (list, tuple)):
            for item in value:
                self.of_outputs(item, into)
            return
        found = getattr(value, "_id", None)
        if type(found) is int:
            into.append(found << 8 | (dtype_enum(value) & 0xFF))


def resource(variable: Any) -> Any:
    """The tensor that is a variable's resource handle; None for anything that has none.

    A variable of a distribution strategy has one for each replica, and refuses to name one outside of them.
    """
    try:
        return getattr(variable, "handle", None)
    except (ValueError, RuntimeError):
        return None


def handle_of(variable: Any) -> int:
    """The id of a variable's resource handle; -1 when it has none.

    Keras 3 wraps the variable once more. To ask that for its handle costs ten times as much, and casts where it should.
    """
    held = getattr(variable, "__dict__", {}).get("_value", variable)
    handle = resource(held)
    if handle is None:
        handle = resource(getattr(variable, "value", None))
    found = getattr(handle, "_id", None)
    return found if type(found) is int else -1


def values_of(gradient: Any) -> Any:
    """The values of a sparse gradient; any other as it is."""
    kind: type = type(gradient)
    return gradient.values if _has_values(kind) else gradient


@functools.cache
def _has_values(kind: type) -> bool:
    """A tensor refuses to have `values`, and to ask it costs as much as a small operation: its type is asked."""
    return hasattr(kind, "values")


def dtype_enum(tensor: Any) -> int:
    """The DataType number of any tensor; reference dtypes fold onto their base."""
    get = getattr(tensor, "_datatype_enum", None)
    number: int = get() if get is not None else tensor.dtype.as_datatype_enum & 0xFF
    return number


@functools.cache
def input_count(op_name: str) -> int:
    """How many leading positional arguments of a fast-path call are inputs."""
    from tensorflow.python.framework import op_def_registry

    definition = op_def_registry.get(op_name)
    return len(definition.input_arg) if definition is not None else 0


def dtype_name(value: Any) -> str:
    """`float32`; Keras 3's variables say it as a string, TensorFlow's as a DType that may be a reference."""
    dtype = value.dtype
    return dtype if isinstance(dtype, str) else str(getattr(dtype, "base_dtype", dtype).name)


def static_shape(value: Any) -> tuple[int | None, ...] | None:
    """The shape as plain numbers; None when it is not known. Version 1 behaviour has an object for each dimension."""
    shape = getattr(value, "shape", None)
    if shape is None or getattr(shape, "rank", 0) is None:
        return None
    return tuple(shape.as_list()) if hasattr(shape, "as_list") else tuple(shape)
