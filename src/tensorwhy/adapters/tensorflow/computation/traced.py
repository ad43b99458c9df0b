"""A copy of a traced step, executed once with the gradient of every use of every value.

Each use goes through an `Identity` of its own, so that the gradient of a single use can be asked for.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from tensorflow.core.framework import node_def_pb2
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, importer, ops
from tensorflow.python.ops import array_ops, gradients_impl, math_ops

from tensorwhy.adapters.tensorflow.computation.numbers import numbers
from tensorwhy.adapters.tensorflow.computation.reads import Reads
from tensorwhy.adapters.tensorflow.computation.traits import limits_of, trait_of
from tensorwhy.adapters.tensorflow.computation.trials import with_values
from tensorwhy.adapters.tensorflow.replays.graph_inlining import inlined
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay, session_of
from tensorwhy.adapters.tensorflow.replays.graph_steps import READS, GraphStep, full, function_of
from tensorwhy.adapters.tensorflow.replays.undo import Undo
from tensorwhy.lineage.executed import Executed
from tensorwhy.lineage.signal import MANY_UNITS, Node, Walk

_USE = "tensorwhy_use"
_AWAY, _LEFT = 0.1, 1e-5


class Traced(NamedTuple):
    """An executed step. `made_up`: some of its arguments were; `fresh`: variables that were NaN, and got other numbers.

    `names` are those of the graph's tensors, by their keys.
    """

    step: Executed
    made_up: bool
    fresh: frozenset[int]
    names: dict[int, str]


def executed(
    step: GraphStep,
    graph: Any,
    handles: Iterable[int],
    arguments: Mapping[str, Any],
    values: Mapping[int, Any] | None = None,
) -> Traced:
    """Execute a step of a graph, forward and backward, for the variables with these handles.

    `values` stand in for what variables hold by now.
    """
    step = inlined(step)
    known = [handle for handle in handles if handle in step.reads]
    replay = GraphReplay(step, known[0] if known else None, bool(known), lambda tensor: "", arguments)
    feeds = replay.feeds | with_values(step, values or {})
    fresh = frozenset(
        handle for handle, names in step.reads.items() if any(not _is_finite(feeds[each]) for each in names)
    )
    generator = np.random.default_rng(0)
    for handle in sorted(fresh):
        first = feeds[step.reads[handle][0]]
        scale = 1 / np.sqrt(max(first.shape[0], 1)) if first.ndim > 1 else 0.1
        drawn = (generator.standard_normal(first.shape) * scale).astype(first.dtype)
        feeds |= dict.fromkeys(step.reads[handle], drawn)
    definition, _ = replay.definition(Undo(watch=True))
    uses = _split(definition, step)
    keys = {name: key for key, name in step.tensors.items()}
    unnamed = -1_000_000
    for name in step.dtypes:
        if name not in keys:  # inside of a function whose body stands in the place of a call
            keys[name] = _inner(graph, name) or unnamed
            unnamed -= 1
    with context.graph_mode(), ops.Graph().as_default() as graph:
        importer.import_graph_def(definition, name="")
        names = [name for name, dtype in step.dtypes.items() if _has_numbers(dtype)]
        floating = [name for name in names if dtypes.as_dtype(step.dtypes[name]).is_floating]
        targets = [graph.get_tensor_by_name(name) for name in step.targets]
        asked = {name: graph.get_tensor_by_name(name) for name in floating}
        asked |= {use: graph.get_tensor_by_name(f"{use}:0") for use in uses}
        slopes = gradients_impl.gradients(targets, list(asked.values()))
        given = {name: slope for name, slope in zip(asked, slopes) if slope is not None}
        parts = {name: graph.get_tensor_by_name(name) for handle in known for name in step.reads[handle]}
        uneven = [math_ops.cast(_uneven(each), each.dtype) for each in targets]
        unevenly = dict(zip(parts, gradients_impl.gradients(targets, list(parts.values()), uneven)))
        with session_of(graph) as session:
            found, gradients = session.run([{name: name for name in names}, given], feeds)
            moved = _moved(feeds, [step.reads[handle] for handle in known])
            elsewhere, slopes_there = session.run([{name: name for name in names}, given], moved)
            apart = {}
            if any(found[name].size > 1 for name in step.targets if name in found):
                apart = session.run({name: each for name, each in unevenly.items() if each is not None}, feeds)
    result = _result(step, keys, known, uses, found, gradients)
    there = Walk(_result(step, keys, known, uses, elsewhere, slopes_there), known, MANY_UNITS)
    result.arrived = frozenset(handle for handle in known if there.state(handle) == "flows")
    result.apart = frozenset(handle for handle in known if _flows_apart(step.reads[handle], apart, gradients))
    result.unchanged = frozenset(keys[name] for name, value in found.items() if _is_same(value, elsewhere[name]))
    return Traced(result, replay.made_up, fresh, {key: name for name, key in keys.items()})


def _result(
    step: GraphStep,
    keys: Mapping[str, int],
    known: Sequence[int],
    uses: Mapping[str, tuple[str, int]],
    found: Mapping[str, Any],
    gradients: Mapping[str, Any],
) -> Executed:
    """What one execution gave, as the walk reads it."""
    arrays = {keys[name]: value for name, value in found.items()}
    nodes, passed = _nodes(step, keys, arrays, uses, gradients)
    reads = Reads()
    for handle in known:
        for name in step.reads[handle]:
            reads.add(handle, keys[name], _dense(gradients[name]) if name in gradients else None)
    nodes, passed = reads.before(nodes, passed)
    arriving = {keys[name]: numbers(_dense(each)) for name, each in gradients.items() if name in keys}
    return Executed(
        nodes=nodes,
        targets=[keys[name] for name in step.targets],
        values={key: numbers(value) for key, value in arrays.items()},
        arriving=arriving | reads.arriving(),
        passed=passed,
        sources=tuple(known),
        variables=frozenset(keys[name] for names in step.reads.values() for name in names if name in keys),
    )


def _is_same(value: Any, other: Any) -> bool:
    return bool(np.array_equal(np.asarray(value), np.asarray(other)))


def _uneven(target: Any) -> Any:
    """Weights for the elements of a target, whatever its shape will be: as those of `numbers.uneven`."""
    shape = array_ops.shape(target)
    count = math_ops.cast(math_ops.range(math_ops.reduce_prod(shape)), dtypes.float32)
    return array_ops.reshape(1.5 + math_ops.sin(1.7 * count), shape)


def _inner(graph: Any, name: str) -> int | None:
    """Return the id that a tensor has in the graph of the function that it was opened from."""
    *calls, own = name.split("/opened/")
    try:
        for call in calls:
            function = function_of(graph, graph.get_operation_by_name(call), "f")
            if function is None:
                return None
            graph = function
        return int(graph.get_tensor_by_name(own)._id)
    except (KeyError, ValueError):
        return None  # what stands for a result has no name in there


def _split(definition: Any, step: GraphStep) -> dict[str, tuple[str, int]]:
    """Let each use of a floating value go through a node of its own; returns these nodes with node and position."""
    uses = {}
    for node in list(definition.node):
        if node.name.startswith("tensorwhy_cut/"):
            continue
        for position, name in enumerate(node.input):
            dtype = step.dtypes.get(full(name.removeprefix("tensorwhy_cut/")))
            if name.startswith("^") or dtype is None or not dtypes.as_dtype(dtype).is_floating:
                continue
            use = f"{_USE}/{node.name}/{position}"
            copy = node_def_pb2.NodeDef(name=use, op="Identity", input=[name])
            copy.attr["T"].type = dtype
            definition.node.append(copy)
            node.input[position] = use
            uses[use] = node.name, position
    return uses


def _nodes(
    step: GraphStep,
    keys: Mapping[str, int],
    arrays: Mapping[int, Any],
    uses: Mapping[str, tuple[str, int]],
    gradients: Mapping[str, Any],
) -> tuple[list[Node], dict[tuple[int, int], Any]]:
    nodes: list[Node] = []
    passed = {}
    handed = {place: gradients[use] for use, place in uses.items() if use in gradients}
    for node in step.nodes:
        if node.op in READS:
            continue
        outputs, index = [], 0
        while f"{node.name}:{index}" in step.dtypes:
            outputs.append(keys[f"{node.name}:{index}"])
            index += 1
        inputs = [full(each) for each in node.input if not each.startswith("^")]
        for position in range(len(inputs)):
            if (node.name, position) in handed:
                passed[len(nodes), position] = numbers(_dense(handed[node.name, position]))
        given = tuple(keys.get(name, 0) for name in inputs)
        values = [np.asarray(arrays[key]) if key in arrays else None for key in given]
        limits = limits_of(node.op, values, functools.partial(_float_attribute, node))
        custom = "_gradient_op_type" in node.attr
        nodes.append(Node(node.op, "custom" if custom else trait_of(node.op), given, tuple(outputs), limits))
    return nodes, passed


def _float_attribute(node: Any, name: str) -> float | None:
    return node.attr[name].f if name in node.attr else None


def _has_numbers(dtype: int) -> bool:
    known = dtypes.as_dtype(dtype)
    return known.is_numpy_compatible and known.name not in ("string", "resource", "variant")


def _moved(feeds: Mapping[str, Any], reads: Iterable[Iterable[str]]) -> dict[str, Any]:
    """The same values with others for these variables: is a gradient zero for one value alone?"""
    generator = np.random.default_rng(0)
    found = dict(feeds)
    for names in reads:
        first = feeds[next(iter(names))]
        away = generator.standard_normal(first.shape) * max(float(np.abs(first).max(initial=0.0)), 1.0)
        found |= dict.fromkeys(names, (first + _AWAY * away).astype(first.dtype))
    return found


def _flows_apart(names: Iterable[str], apart: Mapping[str, Any], summed: Mapping[str, Any]) -> bool:
    """Whether a variable gets a gradient from the elements of a target, and none to speak of from their sum."""
    found = {name: float(np.abs(_dense(each)).max(initial=0.0)) for name, each in apart.items() if name in names}
    left = max((float(np.abs(_dense(summed[name])).max(initial=0.0)) for name in found if name in summed), default=0.0)
    return max(found.values(), default=0.0) > max(left / _LEFT, 0.0)


def _is_finite(array: Any) -> bool:
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def _dense(gradient: Any) -> Any:
    return np.asarray(getattr(gradient, "values", gradient))
