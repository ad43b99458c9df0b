"""What a graph normalises over a single element, and so gives the same for, whatever the value is."""

from __future__ import annotations

from typing import Any

import numpy as np
from tensorflow.python.framework import tensor_util

from tensorwhy.adapters.tensorflow.gradients.op_kinds import DIVIDING
from tensorwhy.adapters.tensorflow.variables.value_snapshots import CROSS_ENTROPIES, NORMALISING


def outputs(graph: Any) -> frozenset[int]:
    """The outputs in a graph that are normalised over one element: by a softmax, or by division by their sum."""
    found = set()
    for op in graph.get_operations():
        if op.type in NORMALISING or op.type in CROSS_ENTROPIES:
            if _is_single(_before_flattening(op.inputs[0])):
                found.add(op.outputs[0]._id)
        elif op.type in DIVIDING and _is_single(op.inputs[0]) and _is_sum_of(op.inputs[1], op.inputs[0]):
            found.add(op.outputs[0]._id)
    return frozenset(found)


def _is_single(tensor: Any) -> bool:
    """Return whether the last axis has one element."""
    return bool(tensor.shape.rank and tensor.shape[-1] == 1)


def _before_flattening(logits: Any) -> Any:
    """What TensorFlow's cross-entropy brought to two axes: it keeps the last one, but loses its size."""
    op = logits.op
    if op.type != "Reshape" or logits.shape[-1] is not None or op.inputs[1].op.type != "ConcatV2":
        return logits
    rest = op.inputs[1].op.inputs[1].op  # after -1 for all the other axes
    sliced = rest.type == "Slice" and rest.inputs[0].op.type == "Shape"
    return op.inputs[0] if sliced and rest.inputs[0].op.inputs[0] is op.inputs[0] else logits


def _is_sum_of(tensor: Any, value: Any) -> bool:
    """Return whether this is the sum of a value over its last axis."""
    if tensor.op.type != "Sum" or tensor.op.inputs[0] is not value:
        return False
    axes = tensor_util.constant_value(tensor.op.inputs[1])
    return axes is not None and {int(axis) % value.shape.rank for axis in np.atleast_1d(axes)} == {value.shape.rank - 1}
