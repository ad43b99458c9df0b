"""Traced functions that an eager step calls: copies of their graphs, in which breaks are undone, take their place.

A copy stands for a call only where it gives what the call gave, when it is given what the call was given. What random
operations gave is known where the call handed it on to its own gradient; where it is not, there is no copy.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from tensorflow.core.framework import graph_pb2, node_def_pb2
from tensorflow.python.eager import context, core, def_function
from tensorflow.python.framework import dtypes, importer, ops

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.tensorflow.replays.graph_inlining import inlined, needed
from tensorwhy.adapters.tensorflow.replays.graph_replay import RANDOM, GraphReplay
from tensorwhy.adapters.tensorflow.replays.graph_steps import (
    NODES,
    READS,
    GraphStep,
    Wanted,
    calls_python,
    full,
    step_of,
)
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.undo import ROUNDING, STOPPING, Undo
from tensorwhy.model.question import Function

_SAME = 1e-3
"""How far a copy may be off what the call gave, for the order in which things are added up."""
_SIZES = ("Shape", "ShapeN", "Size", "Rank")


class Called(NamedTuple):
    """The graph of a traced function; in words, why it is not kept.

    Inputs and outputs are the journal's ids, `drawn` the positions of outputs that random operations alone have made.
    """

    step: GraphStep | str
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    drawn: tuple[int, ...] = ()


def called(graph: Any, function: Function) -> tuple[Called, dict[int, Any]]:
    """What is kept of a function, and the values of the variables that it reads, by the ids of their handles."""
    wanted = set(function.outputs)
    made = (output for op in graph.get_operations() for output in op.outputs)
    targets = tuple(each for each in made if each._id in wanted and each.dtype.is_floating)
    step = step_of(targets) if targets else "it returns no numbers"
    values = {}
    for each in step.wanted.values() if isinstance(step, GraphStep) else ():
        handle = each.held() if each.held is not None else None
        dtype = _of_variable(handle, each)
        if handle is not None and dtype is not None and handle._id not in values:
            try:
                values[handle._id] = variable_values.read(handle, dtype)
            except core._NotOkStatusException:
                continue  # it has no value any more
    drawn = set()
    if isinstance(step, GraphStep):
        names = {step.tensors[each]: at for at, each in enumerate(function.outputs) if each in step.tensors}
        drawn = {names[name] for name in _by_chance(step, names)}
    return Called(step, function.inputs, function.outputs, tuple(drawn)), values


def _of_variable(handle: Any, wanted: Wanted) -> Any:
    if wanted.read:
        return dtypes.as_dtype(wanted.dtype)
    data = getattr(handle, "_handle_data", None)
    if wanted.dtype != dtypes.resource.as_datatype_enum or data is None or len(data.shape_and_type) != 1:
        return None
    return dtypes.as_dtype(data.shape_and_type[0].dtype)


class Copy:
    """Stands for one call. `value` gives what has an id in the recorded step, `given` and `gave` are the ids of the
    call's inputs and outputs, `wanted` the outputs that are needed. `traced` is shared by the calls of one function, so
    that their copies are traced once. Raises Impossible where nothing can stand for it.
    """

    def __init__(
        self,
        function: Called,
        given: Sequence[int],
        gave: Sequence[int],
        wanted: Iterable[int],
        value: Callable[[int], Any],
        variable: Callable[[int], int],
        traced: dict[Any, Any],
    ) -> None:
        if isinstance(function.step, str):
            raise Impossible(function.step)
        if (len(given), len(gave)) != (len(function.inputs), len(function.outputs)):
            raise Impossible("the function was called differently than it was traced")
        step = inlined(function.step)
        if calls_python(step):
            raise Impossible("it calls a Python function")
        ids = dict(zip(function.outputs, gave))
        names = {step.tensors[inner]: outer for inner, outer in ids.items() if inner in step.tensors}
        by_chance = {step.tensors[function.outputs[at]]: gave[at] for at in function.drawn}
        drawn = {name: np.asarray(value(outer)) for name, outer in by_chance.items()}
        ends = {outer: name for name, outer in names.items() if outer in set(wanted) and name not in drawn}
        ends = {outer: name for outer, name in ends.items() if _is_float(step, name)}
        if not ends:
            raise Impossible("no result of the function is needed")
        step = _with(step, drawn, tuple(ends.values()))
        random = next((node for node in step.nodes if node.op in RANDOM), None)
        if random is not None:
            raise Impossible(f"the random numbers of {random.op} inside it are no longer known")
        arguments = {
            step.tensors[inner]: outer for inner, outer in zip(function.inputs, given) if inner in step.tensors
        }
        reads = {name: variable(handle) for handle, names in step.reads.items() for name in names}
        self.size = len(step.nodes)
        self.tensors = frozenset(step.tensors)
        self._fed = {name: key for name, key in {**arguments, **reads}.items() if not _is_resource(step, name)}
        self._drawn = {name: array for name, array in drawn.items() if name in step.wanted}
        self._ends = ends
        self._operations = {node.op for node in step.nodes}
        known = {name: np.asarray(value(key)) for name, key in self._fed.items()} | self._drawn
        self._replay = GraphReplay(step, arguments=known, looking=False)
        if self._replay.made_up:
            raise Impossible("not everything that it reads is still known")
        self._traced = traced
        for outer, tensor in self.results(Undo(), value).items():
            if not np.allclose(np.asarray(tensor), np.asarray(value(outer)), _SAME, _SAME * 1e-3, equal_nan=True):
                raise Impossible(
                    "a copy of it returns different values: it depends on something that has changed since"
                )

    def concerns(self, undo: Undo) -> bool:
        """Return whether something of this is undone inside of the function."""
        return bool(
            (undo.stops and self._operations & set(STOPPING))
            or (undo.casts and self._operations & {"Cast", *ROUNDING})
            or any(gate.made in self.tensors for gate in undo.gates)
        )

    def is_slope(self, undo: Undo) -> bool:
        """Return whether the gradient of the copy is that of what it computes: no custom gradient is in it."""
        return not self._replay.customs(self._own(undo))

    def results(self, undo: Undo, value: Callable[[int], Any]) -> dict[int, Any]:
        """What the copy gives for what these ids have now, by the ids of the call's outputs."""
        own = self._own(undo)
        key = own, tuple(self._ends.values()), tuple(self._fed), tuple(self._drawn)
        if key not in self._traced:
            self._traced[key] = self._function(own)
        names, function = self._traced[key]
        values = [value(self._fed[name]) if name in self._fed else self._constant(name, own) for name in names]
        tensors = [ops.convert_to_tensor(each) for each in values]
        # Not by calling it: TensorFlow warns of a function that is made again and again.
        return dict(zip(self._ends, function.get_concrete_function(*tensors)(*tensors)))

    def _own(self, undo: Undo) -> Undo:
        gates = frozenset(gate for gate in undo.gates if gate.made in self.tensors)
        return Undo(stops=undo.stops, casts=undo.casts, wide=undo.wide, gates=gates, keep=undo.keep)

    def _constant(self, name: str, undo: Undo) -> Any:
        array = self._drawn[name]
        narrow = undo.wide and dtypes.as_dtype(array.dtype).is_floating
        return array.astype(np.float64) if narrow else array

    def _function(self, undo: Undo) -> tuple[list[str], Any]:
        graph, opened = self._replay.definition(undo)
        ends = [opened.get(name, name) for name in self._ends.values()]
        nodes = needed(list(graph.node), {}, ends)
        used = {full(each) for node in nodes for each in node.input} | set(ends)
        names = [name for name in (*self._fed, *self._drawn) if name in used]
        for each in graph.library.function:
            if not context.context().has_function(each.signature.name):  # they go with the function that they belong to
                context.context().add_function_def(each)
        definition = graph_pb2.GraphDef(node=nodes, library=graph.library, versions=graph.versions)

        def copied(*tensors: Any) -> Any:
            return importer.import_graph_def(definition, dict(zip(names, tensors)), ends, name="")

        return names, def_function.function(copied, autograph=False)


def _by_chance(step: GraphStep, names: Iterable[str]) -> list[str]:
    """Of these tensors those that random operations alone have made."""
    nodes = {node.name: node for node in step.nodes}
    if not any(node.op in RANDOM for node in step.nodes):
        return []

    def drawn(name: str) -> bool:
        stack, seen, random = [name], set[str](), False
        while stack:
            node = nodes.get(stack.pop().rpartition(":")[0])
            if node is None or node.op in (*READS, "Placeholder"):
                return False
            if node.name in seen or node.op in _SIZES:
                continue
            seen.add(node.name)
            random = random or node.op in RANDOM
            stack.extend(full(each) for each in node.input if not each.startswith("^"))
        return random

    return [name for name in names if name.endswith(":0") and drawn(name)]


def _with(step: GraphStep, drawn: Mapping[str, Any], targets: tuple[str, ...]) -> GraphStep:
    """The step with constants for what was drawn, as far as these targets need it."""
    nodes = []
    for node in step.nodes:
        if f"{node.name}:0" in drawn:
            constant = node_def_pb2.NodeDef(name=node.name, op="Placeholder")
            constant.attr["dtype"].type = step.dtypes[f"{node.name}:0"]
            node = constant
        nodes.append(node)
    nodes = needed(nodes, {}, targets)
    if len(nodes) > NODES:
        raise Impossible(f"the function is too long to replay (more than {NODES:,} operations)")
    wanted = {**step.wanted, **{name: Wanted(step.dtypes[name], None, None) for name in drawn}}
    return step._replace(wanted=wanted).limited(nodes, targets)


def _is_float(step: GraphStep, name: str) -> bool:
    return bool(dtypes.as_dtype(step.dtypes[name]).is_floating)


def _is_resource(step: GraphStep, name: str) -> bool:
    return bool(step.dtypes[name] == dtypes.resource.as_datatype_enum)
