"""Looks at values inside of the traced functions that a step calls: which of their operations let no gradient through.

A call shows what it was given and what it gave. So a copy of the function's graph is executed once with what it was
given; of a function that it calls in turn, a copy with what that was given. Where a part of it is not known for
certain, nothing is said of the function.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from tensorflow.python.framework import dtypes, errors

from tensorwhy.adapters.tensorflow.gradients.op_kinds import CALLS
from tensorwhy.adapters.tensorflow.questions import graph_snapshot, skipped_loops
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep, calls_python, function_of, step_of
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.model.question import ValueSnapshot

_MOST = 16
"""So many calls of one graph are looked into."""
_DEPTH = 4
"""So deep are functions within functions looked into."""
_ELEMENTS = 8_000_000
"""A function that computes more numbers than that is not executed again."""
_REFUSALS = (Impossible, errors.OpError, ValueError, TypeError, LookupError)


def inside(graph: Any, given: Mapping[str, Any], depth: int = _DEPTH) -> tuple[ValueSnapshot, dict[int, Any]]:
    """What was seen in a function, and its outputs by their positions; `given` are its inputs by their names."""
    targets = tuple(tensor for tensor in graph.outputs if tensor.dtype.is_floating)
    step = step_of(targets) if targets else ""
    if isinstance(step, str) or calls_python(step) or _size(graph, step.tensors.values(), given) > _ELEMENTS:
        return ValueSnapshot(), {}
    snapshot, called = of_calls(graph, step, given, depth)
    try:
        replay = GraphReplay(step, None, False, lambda tensor: "", {**given, **called})
        if replay.made_up:
            return snapshot, {}
        seen, values = graph_snapshot.executed(step, replay)
    except _REFUSALS:
        return snapshot, {}
    merge(snapshot, seen)
    return snapshot, {i: values[tensor.name] for i, tensor in enumerate(graph.outputs) if tensor.name in values}


def of_calls(
    graph: Any, step: GraphStep, given: Mapping[str, Any], depth: int = _DEPTH
) -> tuple[ValueSnapshot, dict[str, Any]]:
    """What was seen in the functions that a step calls, and what these calls gave, by the names of the tensors."""
    snapshot = ValueSnapshot()
    made: dict[str, Any] = {}
    calls = [graph.get_operation_by_name(node.name) for node in step.nodes if node.op in CALLS]
    for call in calls[: _MOST if depth else 0]:
        function = function_of(graph, call, "f")
        if function is None:
            continue
        outer = {inner.name: each for each, inner in zip(call.inputs, function.inputs) if _has_value(each)}
        try:
            values = skipped_loops.values_of(tuple(outer.values()), {**given, **made}) if outer else ()
        except _REFUSALS:
            continue
        if values is not None:
            seen, gave = inside(function, dict(zip(outer, values)), depth - 1)
            merge(snapshot, seen)
            # The function may have got more outputs for its gradient than the call has.
            made.update({output.name: gave[at] for at, output in enumerate(call.outputs) if at in gave})
    return snapshot, made


def merge(snapshot: ValueSnapshot, other: ValueSnapshot) -> None:
    """Add what was seen in another call. What a function does in one of its calls alone, it does not always do."""
    again = snapshot.seen & other.seen
    for mine, theirs in ((snapshot.zero, other.zero), (snapshot.equal, other.equal)):
        mine -= again - theirs
        mine |= theirs - again
    for made in {*snapshot.closed, *other.closed}:
        positions = other.closed.get(made, ())
        if made in again:
            positions = tuple(each for each in snapshot.closed.get(made, ()) if each in positions)
        elif made in snapshot.closed:
            continue
        if positions:
            snapshot.closed[made] = positions
        else:
            snapshot.closed.pop(made, None)
    snapshot.elements.update(other.elements)
    snapshot.seen.update(other.seen)
    snapshot.scalar.update(other.scalar)
    snapshot.single.update(other.single)


def _has_value(tensor: Any) -> bool:
    return tensor.dtype not in (dtypes.resource, dtypes.variant, dtypes.string)


def _size(graph: Any, names: Iterable[str], given: Mapping[str, Any]) -> int:
    """How many numbers the tensors of these names hold; a dimension that is not known is taken for that of a batch."""
    rows = max((len(array) for array in map(np.asarray, given.values()) if array.ndim), default=1)
    shapes = [graph.get_tensor_by_name(name).shape for name in names]
    return sum(math.prod(rows if each is None else each for each in s.as_list()) for s in shapes if s.rank is not None)
