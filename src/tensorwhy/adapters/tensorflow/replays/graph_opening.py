"""The nodes that open a gate in the copy of a traced graph; `opening` does the same with eager tensors."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tensorflow.core.framework import node_def_pb2
from tensorflow.python.framework import tensor_util

from tensorwhy.adapters.tensorflow.replays import opening
from tensorwhy.model.facts.gate import Gate

_PREFIX = "tensorwhy_open"


def nodes(gate: Gate, node: Any, value: Callable[[str], Any], keep: bool) -> list[Any]:
    """What is put behind `node`; the last one takes the place of its first output. Raises Impossible.

    `node` has the inputs that it gets in the copy, `value` gives the values that a tensor of it has without any change.
    """
    inputs = [each for each in node.input if not each.startswith("^")]
    made = f"{node.name}:0"
    if gate.way == "own":
        del node.attr["_gradient_op_type"]
        return []
    if gate.way == "past":
        given, result = value(inputs[gate.position]), value(made)
        if given.size != result.size or given.dtype != result.dtype:
            raise opening.Impossible("the input and the output of the operation differ in shape or dtype")
        return _past(node, inputs[gate.position], given, result)
    if gate.way == "through":
        first = inputs[gate.position] if gate.position >= 0 else _first(inputs, value, made)
        other = _shaped(node, first, value(first), value(made))
    else:
        old = value(inputs[gate.position])
        replaced = _constant(node, np.ones_like(old) if gate.way == "ones" else opening.numbers(old))
        again = node_def_pb2.NodeDef()
        again.CopyFrom(node)
        again.name = _name(node, "again")
        again.input[gate.position] = replaced.name
        other = [replaced, again]
    return [*other, *_kept(node, other[-1].name, value(made).dtype)] if keep else other


def _shaped(node: Any, source: str, given: Any, made: Any) -> list[Any]:
    """The input, in the shape of the result."""
    shape = _constant(node, np.asarray(made.shape, np.int32))
    op = "Reshape" if given.size == made.size else "BroadcastTo"
    through = node_def_pb2.NodeDef(name=_name(node, "through"), op=op, input=[source, shape.name])
    through.attr["T"].type = _dtype(made.dtype)
    through.attr["Tshape" if op == "Reshape" else "Tidx"].type = _dtype(np.dtype(np.int32))
    return [shape, through]


def _past(node: Any, source: str, given: Any, made: Any) -> list[Any]:
    stopped = node_def_pb2.NodeDef(name=_name(node, "alone"), op="StopGradient", input=[node.name])
    stopped.attr["T"].type = _dtype(made.dtype)
    shaped = _shaped(node, source, given, made)
    kept = _kept(node, shaped[-1].name, made.dtype)
    kept[-1].input[0] = stopped.name
    return [stopped, *shaped, *kept]


def _kept(node: Any, other: str, dtype: Any) -> list[Any]:
    """The old value with the slope of the other one."""
    stopped = node_def_pb2.NodeDef(name=_name(node, "stopped"), op="StopGradient", input=[other])
    slope = node_def_pb2.NodeDef(name=_name(node, "slope"), op="Sub", input=[other, stopped.name])
    kept = node_def_pb2.NodeDef(name=_name(node, "kept"), op="AddV2", input=[node.name, slope.name])
    for each in (stopped, slope, kept):
        each.attr["T"].type = _dtype(dtype)
    return [stopped, slope, kept]


def _first(inputs: Sequence[str], value: Callable[[str], Any], made: str) -> str:
    size = value(made).size
    sized = [each for each in inputs if value(each).size == size]
    return next((each for each in sized if np.any(value(each))), inputs[0])


def _constant(node: Any, array: Any) -> Any:
    made = node_def_pb2.NodeDef(name=_name(node, "constant"), op="Const")
    made.attr["dtype"].type = _dtype(array.dtype)
    made.attr["value"].tensor.CopyFrom(tensor_util.make_tensor_proto(array))
    return made


def _dtype(dtype: Any) -> Any:
    from tensorflow.python.framework import dtypes

    return dtypes.as_dtype(dtype).as_datatype_enum


def _name(node: Any, what: str) -> str:
    return f"{_PREFIX}/{node.name}/{what}"
