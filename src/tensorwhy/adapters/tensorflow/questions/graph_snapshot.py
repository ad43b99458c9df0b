"""Looks at the values of a traced step in a copy of its graph: which operations let no gradient through.

A function of TensorFlow shows nothing of what it computes. When variables that it trains stand still, a copy of the
part of its graph that its loss was computed from is executed once, with the values that the variables have, on the
first rows of what the function was given; where that is not known, on made-up numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Literal

import numpy as np
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, errors
from tensorflow.python.ops import gradients_impl

from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay, session_of
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.undo import Undo
from tensorwhy.adapters.tensorflow.variables.value_snapshots import (
    COMPARED,
    closed_inputs,
    hold_the_same,
    is_zero,
    single_element,
)
from tensorwhy.model.question import ValueSnapshot

Copy = Literal["given", "made-up"]


def look(step: GraphStep, source: int | None, arguments: dict[str, Any]) -> tuple[ValueSnapshot, Copy, set[int]] | None:
    """What was seen, on which arguments, and the variables whose gradient is not zero everywhere.

    None where the copy cannot be executed.

    `source`: the id of any variable that the graph itself reads, where there is one.
    """
    try:
        replay = GraphReplay(step, source, source is not None, lambda tensor: "", arguments)
        snapshot, moved = _seen(step, replay)
        return snapshot, "made-up" if replay.made_up else "given", moved
    except (Impossible, errors.OpError, ValueError, TypeError, LookupError):
        return None  # a kernel that refuses what it never got before: then nothing more is known than without


def alive(step: GraphStep, handles: Iterable[int], arguments: dict[str, Any]) -> set[int]:
    """The same of these variables alone, for a step with more numbers than a look takes; none where it is not seen."""
    reads = {handle: step.reads[handle] for handle in handles if handle in step.reads}
    if not reads or not arguments:
        return set()
    try:
        replay = GraphReplay(step, next(iter(reads)), True, lambda tensor: "", arguments)
        return set() if replay.made_up else _moved(reads, replay)
    except (Impossible, errors.OpError, ValueError, TypeError, LookupError):
        return set()


def _moved(reads: dict[int, tuple[str, ...]], replay: GraphReplay) -> set[int]:
    graph, targets, _ = replay.built(Undo(watch=True))
    names = [name for each in reads.values() for name in each]
    with context.graph_mode(), graph.as_default(), session_of(graph) as session:
        slopes = gradients_impl.gradients(targets, [graph.get_tensor_by_name(name) for name in names])
        known = {name: slope for name, slope in zip(names, slopes) if slope is not None}
        return _of_variables(reads, session.run(known, replay.feeds))


def _of_variables(reads: dict[int, tuple[str, ...]], gradients: dict[str, Any]) -> set[int]:
    """The variables for which one of the gradients is not zero everywhere."""
    found = {name for name, gradient in gradients.items() if np.any(_dense(gradient))}
    return {handle for handle, names in reads.items() if not found.isdisjoint(names)}


def executed(step: GraphStep, replay: GraphReplay) -> tuple[ValueSnapshot, dict[str, Any]]:
    """What is seen of values alone, and these values by the names of the tensors."""
    graph, _, _ = replay.built(Undo(watch=True))
    names = _names(step)
    with context.graph_mode(), graph.as_default(), session_of(graph) as session:
        values = session.run(dict(zip(names, names)), replay.feeds)
    return _snapshot(step, values, {}), values


def _names(step: GraphStep) -> list[str]:
    """The tensors that have numbers."""
    names = [name for name, dtype in step.dtypes.items() if dtypes.as_dtype(dtype).is_numpy_compatible]
    return [name for name in names if dtypes.as_dtype(step.dtypes[name]).name not in ("string", "resource", "variant")]


def _seen(step: GraphStep, replay: GraphReplay) -> tuple[ValueSnapshot, set[int]]:
    graph, targets, _ = replay.built(Undo(watch=True))
    names = _names(step)
    with context.graph_mode(), graph.as_default(), session_of(graph) as session:
        floating = [name for name in names if dtypes.as_dtype(step.dtypes[name]).is_floating]
        slopes = gradients_impl.gradients(targets, [graph.get_tensor_by_name(name) for name in floating])
        given = {name: slope for name, slope in zip(floating, slopes) if slope is not None}
        values, gradients = session.run([dict(zip(names, names)), given], replay.feeds)
    gradients = {name: _dense(gradient) for name, gradient in gradients.items()}
    return _snapshot(step, values, gradients), _of_variables(step.reads, gradients)


def _dense(gradient: Any) -> Any:
    return np.asarray(getattr(gradient, "values", gradient))


def _snapshot(step: GraphStep, values: dict[str, Any], gradients: dict[str, Any]) -> ValueSnapshot:
    snapshot = ValueSnapshot()
    key = {name: tensor for tensor, name in step.tensors.items()}
    for name, value in values.items():
        array = np.asarray(value)
        if name in key and array.size:
            snapshot.seen.add(key[name])
            snapshot.scalar.update([key[name]] if array.size == 1 else ())
            snapshot.zero.update([key[name]] if is_zero(array) else ())
    uses: dict[str, int] = {}
    for node in step.nodes:
        inputs = [each if ":" in each else f"{each}:0" for each in node.input if not each.startswith("^")]
        made = f"{node.name}:0"
        if made not in key or made not in values:
            continue
        arrays = [np.asarray(values[each]) for each in inputs if each in values]
        if len(arrays) == len(inputs):
            closed = closed_inputs(node.op, arrays, np.asarray(values[made]))
            if closed:
                snapshot.closed[key[made]] = closed
                snapshot.elements[key[made]] = np.asarray(values[made]).size
            if node.op in COMPARED and len(arrays) == 2 and hold_the_same(*arrays):
                snapshot.equal.add(key[made])
            if single_element(node.op, arrays):
                snapshot.single.add(key[made])
            for position, each in enumerate(inputs):
                # Nothing stands between this use and the target, and nothing in it is closed.
                open_here = made in gradients and bool(np.any(gradients[made])) and position not in closed
                uses[each] = uses.get(each, 0) + open_here
    for name, gradient in gradients.items():
        if name in key and gradient.size and not gradient.any() and uses.get(name, 0) > 1:
            snapshot.cancelled.add(key[name])
    return snapshot
