"""The same computation in float64: the calls and graphs of a step with every narrower floating dtype made wide.

Finite differences need digits that the program did not compute with. A kernel that has no float64 refuses, and then
there is no wide form of the step.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any

import numpy as np
from tensorflow.core.framework import graph_pb2
from tensorflow.python.eager import core
from tensorflow.python.framework import dtypes, errors, op_def_registry, tensor_util
from tensorflow.python.ops import math_ops

_NARROW = tuple(each.as_datatype_enum for each in (dtypes.float16, dtypes.bfloat16, dtypes.float32))
_BY_DIGITS = ("bfloat16", "float16", "float32")
_WIDE = dtypes.float64.as_datatype_enum
REFUSALS = (core._NotOkStatusException, core._FallbackException, errors.OpError, TypeError, ValueError)
"""What kernels and graphs raise that do not take float64."""


def tensor(value: Any) -> Any:
    """A tensor in float64 where it has a floating dtype."""
    narrow = getattr(value, "dtype", None)
    return math_ops.cast(value, dtypes.float64) if narrow is not None and _is_narrow(narrow) else value


def arguments(name: str, given: list[Any]) -> list[Any]:
    """The arguments of a call in the generated code: inputs, then names and values of attributes."""
    definition = op_def_registry.get(name)
    count = len(definition.input_arg) if definition is not None else len(given)
    inputs = [each.astype(np.float64) if _is_array(each) else each for each in given[:count]]
    return [*inputs, *attributes(name, given[count:])]


def attributes(name: str, given: Any) -> list[Any]:
    """Names and values of attributes by turns, with the dtypes among the values wide."""
    types = _types(name)
    wide = list(given)
    for at in range(0, len(wide) - 1, 2):
        if wide[at] in types and wide[at + 1] is not None:
            value = wide[at + 1]
            wide[at + 1] = [_wide(each) for each in value] if isinstance(value, (list, tuple)) else _wide(value)
    return wide


def attribute(name: str, given: list[Any], wanted: str) -> Any:
    """The value of an attribute among the arguments of a call in the generated code."""
    count = len(op_def_registry.get(name).input_arg)
    return dict(zip(given[count::2], given[count + 1 :: 2]))[wanted]


def narrowest(found: Iterable[Any]) -> str:
    """The name of the floating dtype with the fewest digits."""
    names = {dtypes.as_dtype(each).name for each in found}
    return next((name for name in _BY_DIGITS if name in names), "float64")


def graph(narrow: graph_pb2.GraphDef) -> graph_pb2.GraphDef:
    """A graph with all its functions."""
    wide = graph_pb2.GraphDef()
    wide.CopyFrom(narrow)
    for node in wide.node:
        _widen(node)
    for function in wide.library.function:
        for each in (*function.signature.input_arg, *function.signature.output_arg):
            each.type = _wide(each.type)
        for node in function.node_def:
            _widen(node)
    return wide


def _widen(node: Any) -> None:
    for attribute in node.attr.values():
        kind = attribute.WhichOneof("value")
        if kind == "type":
            attribute.type = _wide(attribute.type)
        elif kind == "list" and attribute.list.type:
            attribute.list.type[:] = [_wide(each) for each in attribute.list.type]
        elif kind == "tensor" and attribute.tensor.dtype in _NARROW:
            array = tensor_util.MakeNdarray(attribute.tensor).astype(np.float64)
            attribute.tensor.CopyFrom(tensor_util.make_tensor_proto(array))


def _wide(dtype: Any) -> Any:
    return _WIDE if isinstance(dtype, int) and dtype in _NARROW else dtypes.float64 if _is_narrow(dtype) else dtype


def _is_narrow(dtype: Any) -> bool:
    return isinstance(dtype, dtypes.DType) and dtype.as_datatype_enum in _NARROW


def _is_array(value: Any) -> bool:
    return isinstance(value, np.ndarray) and value.dtype in (np.float16, np.float32)


@functools.cache
def _types(name: str) -> frozenset[str]:
    """The attributes of an operation that are dtypes. Fast calls name them in the order of the definition."""
    definition = op_def_registry.get(name)
    found = definition.attr if definition is not None else ()
    return frozenset(each.name for each in found if each.type in ("type", "list(type)"))
