"""Softmaxes in a graph whose results are only ever added up again, so that no gradient comes back through them.

Probabilities add up to one, whatever the logits are. And log-probabilities that are weighed by those very
probabilities and summed have the gradient of a constant: the expectation of a score is zero.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
from tensorflow.python.framework import tensor_util

_SOFTMAXES = ("Softmax", "LogSoftmax")
_COPYING = ("Identity", "StopGradient")
_KEEPING = ("Identity", "Neg")
_WITHOUT_GRADIENT = ("StopGradient", "ArgMax", "Shape", "ZerosLike", "OnesLike")


def adding_up(graph: Any, targets: Iterable[Any]) -> frozenset[int]:
    """The outputs of such softmaxes that the targets are computed from."""
    softmaxes = [op for op in graph.get_operations() if op.type in _SOFTMAXES]
    before = _before(targets) if softmaxes else set()
    return frozenset(op.outputs[0]._id for op in softmaxes if op in before and _cancels(op, before))


def _before(targets: Iterable[Any]) -> set[Any]:
    """The operations that a gradient could come back to from these tensors."""
    found: set[Any] = set()
    stack = [target.op for target in targets]
    while stack:
        op = stack.pop()
        if op not in found and op.type not in _WITHOUT_GRADIENT:
            found.add(op)
            stack += [tensor.op for tensor in op.inputs]
    return found


def _cancels(softmax: Any, before: set[Any]) -> bool:
    """Return whether each way that a gradient could come back by leads through a sum over all that was normalised."""
    rank = softmax.outputs[0].shape.rank
    if not rank:
        return False
    ways = list(_ways(softmax.outputs[0], softmax.type == "Softmax", softmax, before))
    return bool(ways) and all(ways)


def _ways(tensor: Any, weighed: bool, softmax: Any, before: set[Any]) -> Iterator[bool]:
    """For each way on from a tensor, whether what comes back by it cancels. `weighed`: a sum here would do."""
    for op in tensor.consumers():
        if op not in before:
            continue
        if op.type in _KEEPING:
            yield from _ways(op.outputs[0], weighed, softmax, before)
        elif op.type in ("Mul", "RealDiv") and (op.type == "Mul" or op.inputs[0] is tensor):
            other = op.inputs[1 if op.inputs[0] is tensor else 0]
            probabilities = not weighed and _normalised(other) is softmax.inputs[0]
            if probabilities or _is_even(other):
                yield from _ways(op.outputs[0], weighed or probabilities, softmax, before)
            else:
                yield False
        else:
            yield weighed and op.type in ("Sum", "Mean") and op.inputs[0] is tensor and _over_the_last(op)


def _normalised(tensor: Any) -> Any:
    """The logits that a tensor has the probabilities of; None when it has none."""
    op = _made(tensor)
    if op.type == "Exp":
        op = _made(op.inputs[0])
        return op.inputs[0] if op.type == "LogSoftmax" else None
    return op.inputs[0] if op.type == "Softmax" else None


def _made(tensor: Any) -> Any:
    """The operation that made a tensor, before it was copied."""
    while tensor.op.type in _COPYING:
        tensor = tensor.op.inputs[0]
    return tensor.op


def _is_even(tensor: Any) -> bool:
    """Return whether a factor is the same for all that a sum over the last axis adds up."""
    shape = tensor.shape
    return bool(shape.rank == 0 or (shape.rank is not None and shape[-1] == 1))


def _over_the_last(op: Any) -> bool:
    axes = tensor_util.constant_value(op.inputs[1])
    return axes is not None and bool({-1, op.inputs[0].shape.rank - 1} & set(np.atleast_1d(axes).tolist()))
