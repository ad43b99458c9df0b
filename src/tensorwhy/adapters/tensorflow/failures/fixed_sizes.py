"""An operation of a graph that failed on a size: which operand has it from a constant, and which from the data.

While a graph is traced, a size that varies with the data is not known, and a size that the program fixes is. Two
operands whose sizes must agree, one unknown and one a number, were accepted then; they fail with the first batch of
another size. The number is followed back to the operation that brought it in.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.tensorflow.failures import failed_node

_NAMES = """Add AddV2 Sub Mul MulNoNan Div RealDiv DivNoNan FloorDiv FloorMod Maximum Minimum Pow SquaredDifference
Xlogy Xdivy Greater GreaterEqual Less LessEqual Equal NotEqual LogicalAnd LogicalOr SelectV2 Atan2"""
_BROADCASTING = frozenset(_NAMES.split())
_MATRICES = {"MatMul": ("transpose_a", "transpose_b"), "BatchMatMulV2": ("adj_x", "adj_y")}
_ROWS = ("SparseSoftmaxCrossEntropyWithLogits", "SoftmaxCrossEntropyWithLogits")
_BACKWARD = "gradient_tape/"
_MOST = 20_000
_TAKEN = 32
"""So many rows Keras takes at a time where it is not told."""


class FixedSize(msgspec.Struct, frozen=True):
    """`source` brought in the size of the operand `fixed`; that of the operand `varying` is known with the data only.

    `certain`: no other pair of sizes could have failed.
    """

    operation: Any
    size: int
    source: Any
    varying: Any
    certain: bool


class _Pair(msgspec.Struct, frozen=True):
    """Two sizes that must agree, each with the operand that has it."""

    one: int | None
    other: int | None
    tensor: Any
    partner: Any
    axis: int | None = None
    broadcast: bool = False


def of(operation: Any) -> FixedSize | None:
    """The size that failed an operation, or the one whose gradient it belongs to; None where there is no such pair."""
    forward = forward_of(operation)
    pairs = list(_pairs(forward)) if forward is not None else []
    for pair in pairs:
        for size, fixed, unknown, varying in (
            (pair.one, pair.tensor, pair.other, pair.partner),
            (pair.other, pair.partner, pair.one, pair.tensor),
        ):
            if size is None or unknown is not None or (pair.broadcast and size == 1):
                continue
            source = _source(fixed, pair.axis, size, set())
            if source is not None:
                open_ones = [each for each in pairs if each.one is None and each.other is None]
                return FixedSize(forward, size, source, varying, not open_ones)
    return None


def cut(operation: Any, stack: Stack) -> tuple[int, int] | None:
    """The rows that a training call was given, and how many of them it takes at a time, where one operand has a number
    for each of all rows, and what it meets has as many as are taken at a time. None where that is not what failed."""
    fit = next((each for each in stack.frames if each.function == "fit" and not each.user), None)
    given = fit.local("x") if fit is not None else None
    arrays = given if isinstance(given, (list, tuple)) else list(given.values()) if isinstance(given, dict) else [given]
    shapes = [getattr(each, "shape", None) for each in arrays]
    rows = {int(shape[0]) for shape in shapes if shape}
    size = fit.local("batch_size") if fit is not None else None
    taken, forward = size if isinstance(size, int) else _TAKEN, forward_of(operation)
    if len(rows) != 1 or forward is None or not taken < max(rows):
        return None
    wanted = {max(rows), None}
    return (max(rows), taken) if any({pair.one, pair.other} == wanted for pair in _pairs(forward)) else None


def forward_of(operation: Any) -> Any:
    """The operation itself, or the one that it computes the gradient of; None where that is not found."""
    before, is_backward, scope = operation.name.rpartition(_BACKWARD)
    if not is_backward:
        return operation
    parts = scope.split("/")
    named = ("/".join(parts[:at]) for at in range(len(parts) - 1, 0, -1))
    exact = (failed_node.operation_named(operation.graph, before + each) for each in named)
    found = next((each for each in exact if each is not None and len(each.inputs) > 1), None)
    return found if found is not None and found.type != "NoOp" else _broadcast(operation)


def _broadcast(operation: Any) -> Any:
    """The one operation whose operands have the shapes that a gradient compares."""
    shapes = [each.op for each in operation.inputs if operation.type == "BroadcastGradientArgs"]
    operands = [each.inputs[0] for each in shapes if each.type == "Shape"]
    users = [{id(user): user for user in each.consumers() if user.type in _BROADCASTING} for each in operands]
    found = [user for key, user in users[0].items() if all(key in other for other in users)] if users else []
    return found[0] if len(found) == 1 else None


def _pairs(operation: Any) -> Iterator[_Pair]:
    """The sizes that an operation requires to agree."""
    kind, tensors = operation.type, [failed_node.through_captures(each) for each in operation.inputs]
    shapes = [_static(each) for each in tensors]
    if kind == "ConcatV2" and len(tensors) > 2:
        axis = _number(tensors[-1])
        for at in range(1, len(tensors) - 1):
            one, other = shapes[0], shapes[at]
            if axis is None or one is None or other is None or len(one) != len(other):
                continue
            for index in range(len(one)):
                if index != axis % len(one):
                    yield _Pair(one[index], other[index], tensors[0], tensors[at], index - len(one))
    elif len(tensors) < 2 or shapes[0] is None or shapes[1] is None:
        return
    elif kind in _MATRICES:
        if min(map(len, (shapes[0], shapes[1]))) >= 2:
            first, second = (bool(operation.get_attr(each)) for each in _MATRICES[kind])
            yield _Pair(shapes[0][-2 if first else -1], shapes[1][-1 if second else -2], tensors[0], tensors[1])
    elif kind in _ROWS:
        yield _Pair(shapes[0][0], shapes[1][0], tensors[0], tensors[1])
    elif kind in _BROADCASTING:
        for at in range(1, len(tensors)):
            one, other = shapes[at - 1], shapes[at]
            if one is not None and other is not None:
                for axis, (left, right) in enumerate(zip(reversed(one), reversed(other)), 1):
                    yield _Pair(left, right, tensors[at - 1], tensors[at], -axis, True)


def _source(tensor: Any, axis: int | None, size: int, seen: set[int]) -> Any:
    """The tensor that brought a size in: the first one on the way back that no data went into, or that was given it.

    `axis` counts from the last one; None where the operations on the way do not tell which one it is.
    """
    if id(tensor) in seen or len(seen) > _MOST:
        return None
    seen.add(id(tensor))
    if not _varies(tensor):
        return tensor
    inputs = [failed_node.through_captures(each) for each in tensor.op.inputs]
    axis = axis if _keeps_axes(tensor.op) else None
    sized = [each for each in inputs if _has(each, axis, size)]
    if not sized:
        return tensor if any(size in (_numbers(each) or ()) for each in inputs) else None
    found = (_source(each, axis, size, seen) for each in sorted(sized, key=_varies))
    return next((each for each in found if each is not None), None)


def _has(tensor: Any, axis: int | None, size: int) -> bool:
    shape = _static(tensor) or ()
    return size in shape if axis is None else -axis <= len(shape) and shape[axis] == size


def _keeps_axes(operation: Any) -> bool:
    """Return whether an element of the result depends on the elements of its own place alone."""
    if operation.type in _BROADCASTING:
        return True
    shapes = [_static(each) for each in (*operation.inputs, *operation.outputs)]
    return len(shapes) == 2 and shapes[0] is not None and shapes[0] == shapes[1]


def _varies(tensor: Any) -> bool:
    """Return whether a size of something that this was computed from is not known."""
    seen: set[int] = set()
    waiting = [tensor]
    while waiting and len(seen) < _MOST:
        current = failed_node.through_captures(waiting.pop())
        if id(current) in seen:
            continue
        seen.add(id(current))
        if current.dtype.name not in ("resource", "variant") and None in (_static(current) or (None,)):
            return True
        waiting.extend(current.op.inputs)
    return False


def _static(tensor: Any) -> tuple[int | None, ...] | None:
    return tuple(tensor.shape.as_list()) if tensor.shape.rank is not None else None


def _numbers(tensor: Any) -> tuple[int, ...] | None:
    """The sizes in a shape that is constant, or was put together of constants and others."""
    from tensorflow.python.framework import tensor_util

    if tensor.dtype.name not in ("int32", "int64") or tensor.shape.rank != 1:
        return None
    shape = tensor_util.constant_value_as_shape(tensor)
    return tuple(each for each in shape.as_list() if each is not None) if shape.rank is not None else None


def _number(tensor: Any) -> int | None:
    from tensorflow.python.framework import tensor_util

    value = tensor_util.constant_value(tensor)
    return int(value) if value is not None and value.size == 1 else None
