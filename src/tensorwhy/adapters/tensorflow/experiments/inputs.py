"""A traced step that was asked for the gradient of what it is called with: a saliency map, an attack.

Its arguments take the part that variables have elsewhere: each is a source, by a key that no variable has.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any

import numpy as np

from tensorwhy.adapters.tensorflow.experiments.batches import batches
from tensorwhy.adapters.tensorflow.replays.graph_steps import GraphStep
from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph, Traced

_APART = -2_000_000
_SMALL = 1e-6
"""What is smaller everywhere may be what rounding left; the walk decides that beside its terms."""
_ROWS = 16
_NODES = 1500


def key_of(tensor: int) -> int:
    """Return the key that an argument of a step has as a source."""
    return _APART - tensor


def tensors(ask: Any) -> Iterator[int]:
    """Yield the sources of a question that are no variables."""
    yield from (tensor for handle, tensor in zip(ask.handles, ask.sources) if handle < 0)


def are_small(result: Any, given: Any) -> bool:
    """Return whether a function returned something of the shape of an argument that is next to zero everywhere."""
    import tensorflow as tf

    shapes = {tuple(each.shape) for each in tf.nest.flatten(given) if hasattr(each, "shape") and hasattr(each, "dtype")}
    for each in tf.nest.flatten(result):
        if hasattr(each, "_datatype_enum") and each.dtype.is_floating and tuple(each.shape) in shapes:
            array = np.asarray(each)
            if array.size > 1 and abs(array.item(0)) < _SMALL and bool((np.abs(array) < _SMALL).all()):
                return True
    return False


def executed(step: GraphStep, graph: Any, asked: Collection[int], given: Any) -> Traced | None:
    """Execute a step for those of its arguments that were asked about; None where there are none."""
    arguments = next(batches(graph, given, read=False), None)
    placed = {f"{node.name}:0" for node in step.nodes if node.op == "Placeholder"}
    reads = {key_of(each): (step.tensors[each],) for each in asked if step.tensors.get(each) in placed}
    if arguments is None or not reads or len(step.nodes) > _NODES:
        return None
    shapes = {np.shape(each)[:1] for each in arguments.values()}
    open_sizes = all(graph.get_tensor_by_name(name).shape[:1].as_list() == [None] for name in arguments)
    if len(shapes) == 1 and open_sizes:
        arguments = {name: each[:_ROWS] for name, each in arguments.items()}
    step = step._replace(reads={**step.reads, **reads})
    return ObservedGraph(step, reads, arguments, inside=graph).executed()
