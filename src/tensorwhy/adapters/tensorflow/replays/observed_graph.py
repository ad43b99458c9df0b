"""A copy of a traced step, executed with the gradients of all its variables, or of every use of every value.

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
from tensorflow.python.ops import array_ops, gradients_impl

from tensorwhy.adapters.tensorflow.replays.graph_inlining import inlined
from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay, session_of
from tensorwhy.adapters.tensorflow.replays.graph_steps import READS, GraphStep, full, function_of
from tensorwhy.adapters.tensorflow.replays.numbers import numbers, uneven
from tensorwhy.adapters.tensorflow.replays.reads import Reads
from tensorwhy.adapters.tensorflow.replays.traits import limits_of, trait_of
from tensorwhy.adapters.tensorflow.replays.undo import Undo
from tensorwhy.lineage.executed import Executed, observed
from tensorwhy.lineage.signal import Node

_USE = "tensorwhy_use"
_AWAY = 0.1


class Answer(NamedTuple):
    """What a step gives. `gradients`: by the handles of variables, of all their reads together."""

    targets: list[Any]
    gradients: dict[int, Any]


class Traced(NamedTuple):
    """An executed step. `made_up`: some arguments were; `fresh`: variables that were NaN and got other numbers."""

    step: Executed
    made_up: bool
    fresh: frozenset[int]


class ObservedGraph(GraphReplay):
    """One traced step, for all variables with these `handles` that it reads.

    `values` stand in for those of variables, by their handles. `inside` is the graph itself, which knows the journal's
    ids of what its functions compute. Raises what TensorFlow raises of a graph that cannot be executed in a copy.
    """

    def __init__(
        self,
        step: GraphStep,
        handles: Iterable[int],
        arguments: Mapping[str, Any],
        values: Mapping[int, Any] | None = None,
        inside: Any = None,
    ) -> None:
        step = inlined(step)
        self.handles = [handle for handle in handles if handle in step.reads]
        super().__init__(step, self.handles[0] if self.handles else None, arguments)
        given = (values or {}).items()
        self.feeds |= {name: value for handle, value in given for name in step.reads.get(handle, ())}
        self._shapes = {name: np.shape(value) for name, value in arguments.items()}
        self._reads = [name for handle in self.handles for name in step.reads[handle]]
        self._answering: tuple[Any, list[Any], dict[str, Any], frozenset[str]] | None = None
        self._inside = inside
        self._observing: _Observing | None = None

    # -- answers -------------------------------------------------------------------------------------------------

    def fits(self, arguments: Mapping[str, Any]) -> bool:
        """Return whether a batch has the shapes of the first one, which random numbers were drawn for."""
        return {name: np.shape(value) for name, value in arguments.items()} == self._shapes

    def answer(self, arguments: Mapping[str, Any] | None = None) -> Answer:
        """The targets and the gradients, with another batch where it is given."""
        if self._answering is None:
            graph, targets, _ = self.built(Undo(watch=True))
            with context.graph_mode(), graph.as_default():
                found = gradients_impl.gradients(targets, [graph.get_tensor_by_name(name) for name in self._reads])
                slopes = {name: slope for name, slope in zip(self._reads, found) if slope is not None}
                # The copy has what leads to the loss: a loss that ignores its labels needs none.
                known = frozenset(f"{operation.name}:0" for operation in graph.get_operations())
                self._answering = session_of(graph), targets, slopes, known
        session, targets, slopes, known = self._answering
        feeds = {name: each for name, each in {**self.feeds, **(arguments or {})}.items() if name in known}
        values, slopes = session.run([targets, slopes], feeds)
        gradients = {}
        for handle in self.handles:
            parts = [_values(slopes[name]) for name in self._step.reads[handle] if name in slopes]
            if parts:
                same = all(each.shape == parts[0].shape for each in parts)
                gradients[handle] = sum(parts[1:], parts[0]) if same else parts[0]
        return Answer([np.asarray(each) for each in values], gradients)

    # -- observations --------------------------------------------------------------------------------------------

    def executed(self) -> Traced:
        """Execute the step with the gradient of every use. Variables that are NaN get other numbers."""
        reads = self._step.reads.items()
        fresh = frozenset(handle for handle, names in reads if any(not _is_finite(self.feeds[each]) for each in names))
        generator = np.random.default_rng(0)
        for handle in sorted(fresh):
            names = self._step.reads[handle]
            first = self.feeds[names[0]]
            scale = 1 / np.sqrt(max(first.shape[0], 1)) if first.ndim > 1 else 0.1
            self.feeds |= dict.fromkeys(names, (generator.standard_normal(first.shape) * scale).astype(first.dtype))
        return Traced(observed(self), self.made_up, fresh)

    def observe(self, moved: bool = False, weighted: bool = False) -> Executed:
        """Execute the step, forward and backward, with the gradient of every use of every value."""
        if self._observing is None:
            self._observing = _Observing(self._step, self.definition(Undo(watch=True))[0], self._inside)
        feeds = _moved(self.feeds, [self._step.reads[handle] for handle in self.handles]) if moved else self.feeds
        return self._observing.run(feeds, self.handles, weighted)


class _Observing:
    """A copy in which each use of a floating value goes through an operation of its own."""

    def __init__(self, step: GraphStep, definition: Any, inside: Any) -> None:
        self._step = step
        self._uses = _split(definition, step)
        self._keys = {name: key for key, name in step.tensors.items()}
        unnamed = -1_000_000
        for name in step.dtypes:
            if name not in self._keys:  # inside of a function whose body stands in the place of a call
                self._keys[name] = _inner(inside, name) or unnamed
                unnamed -= 1
        with context.graph_mode(), ops.Graph().as_default() as graph:
            importer.import_graph_def(definition, name="")
            self._names = [name for name, dtype in step.dtypes.items() if _has_numbers(dtype)]
            targets = [graph.get_tensor_by_name(name) for name in step.targets]
            floating = [name for name in self._names if dtypes.as_dtype(step.dtypes[name]).is_floating]
            asked = {name: graph.get_tensor_by_name(name) for name in floating}
            asked |= {use: graph.get_tensor_by_name(f"{use}:0") for use in self._uses}
            self._weights = {
                name: array_ops.placeholder_with_default(array_ops.ones_like(each), each.shape)
                for name, each in zip(step.targets, targets)
            }
            slopes = gradients_impl.gradients(targets, list(asked.values()), list(self._weights.values()))
            self._slopes = {name: slope for name, slope in zip(asked, slopes) if slope is not None}
            self._session = session_of(graph)
        self._first: Mapping[str, Any] = {}

    def run(self, feeds: Mapping[str, Any], handles: Sequence[int], weighted: bool) -> Executed:
        """What one execution gives, as the walk reads it. `weighted`: the elements of the targets count unevenly."""
        weights = {}
        if weighted:
            weights = {
                self._weights[name]: uneven(np.shape(self._first[name])).astype(self._first[name].dtype)
                for name in self._step.targets
            }
        names = {name: name for name in self._names}
        found, gradients = self._session.run([names, self._slopes], {**feeds, **weights})
        first = self._first = self._first or found
        step, keys = self._step, self._keys
        arrays = {keys[name]: value for name, value in found.items()}
        nodes, passed = _nodes(step, keys, arrays, self._uses, gradients)
        reads = Reads()
        for handle in handles:
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
            sources=tuple(handles),
            unchanged=frozenset(keys[name] for name, value in found.items() if _is_same(value, first[name])),
            variables=frozenset(keys[name] for names in step.reads.values() for name in names if name in keys),
        )


def _is_same(value: Any, other: Any) -> bool:
    return bool(np.array_equal(np.asarray(value), np.asarray(other)))


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


def _is_finite(array: Any) -> bool:
    return array.dtype.kind != "f" or bool(np.isfinite(array).all())


def _dense(gradient: Any) -> Any:
    return np.asarray(getattr(gradient, "values", gradient))


def _values(gradient: Any) -> Any:
    array = _dense(gradient)
    return array.astype(np.float32) if array.dtype.name in ("bfloat16", "float16") else array
