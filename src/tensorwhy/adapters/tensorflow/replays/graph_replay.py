"""Executes a traced step again: a copy of its graph, in which some breaks are undone.

A graph has no tape, so what the tape of the step did not record or watch is cut off by a `StopGradient` in the copy,
and undone by leaving that out. Variables have the values that they have when the experiment is made. What the function
got as arguments is not known any more: it is made up, and the evidence says so. Random operations are executed once,
and what they gave is a constant for all the others.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from typing import Any

import numpy as np
from tensorflow.core.framework import graph_pb2, node_def_pb2
from tensorflow.core.protobuf import config_pb2
from tensorflow.python.client import session as sessions
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, importer, ops, tensor_shape
from tensorflow.python.ops import array_ops, gen_resource_variable_ops, gradients_impl

from tensorwhy.adapters.tensorflow.gradients.op_kinds import CALLS
from tensorwhy.adapters.tensorflow.replays import graph_opening, opening, widening
from tensorwhy.adapters.tensorflow.replays.graph_steps import READS, GraphStep, Wanted, full
from tensorwhy.adapters.tensorflow.replays.opening import Impossible
from tensorwhy.adapters.tensorflow.replays.replay import Replay
from tensorwhy.adapters.tensorflow.replays.undo import ROUNDING, STOPPING, Outcome, Undo

RANDOM = (
    "RandomUniform",
    "RandomUniformInt",
    "RandomStandardNormal",
    "TruncatedNormal",
    "Multinomial",
    "RandomShuffle",
)
_TAKING = ("IteratorGetNext", "IteratorGetNextSync")
"""What takes an element of a dataset is not executed: what it gives is made up."""
_MOST = 50_000
"""Operations of a graph that is copied: TensorFlow differentiates some thousand a second."""
_UNKNOWN = 2
"""A dimension that is not known has this size in what is made up."""
_FLOATS = ("float16", "bfloat16", "float32", "float64")


def session_of(graph: Any) -> Any:
    """Return a session for a graph that is run a few times: to optimize it would take longer than to run it."""
    config = config_pb2.ConfigProto()
    config.graph_options.optimizer_options.opt_level = config_pb2.OptimizerOptions.L0
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    return sessions.Session(graph=graph, config=config)


class GraphReplay(Replay):
    """One traced step, for one source. `region` tells for a tensor's id why the tape did not record what made it: where
    it is not given, the tape recorded all.

    `arguments` are values of what came from outside, by the tensors' names, as far as they are known. With these the
    step is only looked at: then loops and functions that read variables themselves are left out, and what they give is
    made up; not `looking`, they are refused. Without a `source` there are values to see and no gradients.
    """

    def __init__(
        self,
        step: GraphStep,
        source: int | None = None,
        arguments: Mapping[str, Any] | None = None,
        region: Callable[[int], str] = lambda tensor: "",
        looking: bool = True,
    ) -> None:
        if len(step.nodes) > _MOST:
            raise Impossible(f"the graph has {len(step.nodes):,} operations, too many for an experiment")
        self._step = step
        self.opened = step.opened
        self._arguments = arguments
        self._looking = looking and arguments is not None
        if not self._looking and any(
            node.op not in (*READS, *_TAKING) and _takes_resource(node, step) for node in step.nodes
        ):
            raise Impossible("a variable is used or changed inside a loop or function of the graph")
        names: tuple[str, ...] = ()
        if source is not None:
            names = step.reads.get(source) or tuple(filter(None, (step.tensors.get(source, ""),)))
        if source is not None and not names:
            raise Impossible("the source is not part of the kept graph")
        self._sources = names
        self._regions = {name: region(tensor) for tensor, name in step.tensors.items()}
        self._graphs: dict[Undo, tuple[Any, list[Any], Any]] = {}
        self._sessions: dict[Undo, Any] = {}
        self.feeds = self._values()
        self._was: float | None = None
        self.feeds |= self._drawn()
        first = self._sources[0] if names else step.targets[0]
        self.value = np.asarray(self.feeds[first] if first in self.feeds else self._fetch(first))

    @property
    def words(self) -> str:
        return "a copy of the traced graph" + (" with made-up arguments" if self.made_up else "")

    @property
    def where(self) -> str:
        return f" in {self.words}"

    @property
    def narrowest(self) -> str:
        return widening.narrowest(self._step.dtypes.values())

    def calls(self, functions: Container[str]) -> bool:
        called = (node.attr["f"].func.name for node in self._step.nodes if node.op in CALLS)
        return any(name in functions for name in called)

    def differentiate(self, undo: Undo, at: Any = None) -> Outcome:
        graph, targets, gradient = self.built(undo)
        feeds = self._fed(undo) | ({} if at is None else dict.fromkeys(self._sources, at))
        with context.graph_mode(), session_of(graph) as session:
            values, found = session.run([targets, [] if gradient is None else [gradient]], feeds)
        total = _total(values)
        if self._was is None and at is None:
            self._was = total
        same = self._was is not None and bool(np.isclose(total, self._was, rtol=1e-4, atol=1e-6, equal_nan=True))
        return Outcome(np.asarray(found[0]) if found else None, same, not self.customs(undo))

    def customs(self, undo: Undo) -> bool:
        """Whether a custom gradient is left in the copy."""
        own = {self._step.tensors.get(gate.made) for gate in undo.gates if gate.way == "own"}
        return any("_gradient_op_type" in node.attr and f"{node.name}:0" not in own for node in self._step.nodes)

    def evaluate(self, value: Any, undo: Undo) -> float:
        graph, targets, _ = self.built(undo)
        if undo not in self._sessions:
            with context.graph_mode():
                self._sessions[undo] = session_of(graph)
        dtype = np.float64 if undo.wide else self.value.dtype
        feeds = self._fed(undo) | {name: np.asarray(value, dtype) for name in self._sources}
        return _total(self._sessions[undo].run(targets, feeds))

    def built(self, undo: Undo) -> tuple[Any, list[Any], Any]:
        """A graph with these breaks undone, its targets, and the gradient."""
        if undo not in self._graphs:
            with context.graph_mode():
                graph = ops.Graph()
                with graph.as_default():
                    definition, opened = self.definition(undo)
                    importer.import_graph_def(definition, name="")
                    targets = [graph.get_tensor_by_name(opened.get(name, name)) for name in self._step.targets]
                    sources = [graph.get_tensor_by_name(name) for name in self._sources]
                    times = [array_ops.ones_like(each) * undo.scale for each in targets] if undo.scale != 1 else None
                    slopes = gradients_impl.gradients(targets, sources, times) if sources else []
                    found = [each for each in slopes if each is not None]
                    gradient = (
                        sum(map(ops.convert_to_tensor, found[1:]), ops.convert_to_tensor(found[0])) if found else None
                    )
            self._graphs[undo] = graph, targets, gradient
        return self._graphs[undo]

    def _fed(self, undo: Undo) -> dict[str, Any]:
        """The values of what comes from outside; variables that are opened have other numbers."""
        handles = [gate.made for gate in undo.gates if gate.way == "variable"]
        if not self._step.reads.keys() >= set(handles):
            raise Impossible("the variable is not read by the graph itself")
        names = [name for handle in handles for name in self._step.reads[handle]]
        return self.feeds | {name: opening.numbers(self.feeds[name]) for name in names}

    def definition(self, undo: Undo) -> tuple[Any, dict[str, str]]:
        """A copy of the graph, and what stands for tensors that were opened in it."""
        gates = {self._step.tensors.get(gate.made, ""): gate for gate in undo.gates if gate.way != "variable"}
        if not all(name.endswith(":0") for name in gates):
            raise Impossible("the operation is not part of the kept graph, or is inside one of its functions")
        opened: dict[str, str] = {}
        graph = graph_pb2.GraphDef()
        if self._step.library is not None:
            graph.library.CopyFrom(self._step.library)
        without_casts = self._uncast() if undo.casts else {}
        cut: dict[str, str] = {}
        for node in self._step.nodes:
            copy = graph.node.add()
            copy.CopyFrom(without_casts.get(node.name, node))
            copy.attr.pop("_class", None)  # where it was to run: beside a node that may not be in the copy
            inputs = [cut.get(full(each), each) for each in node.input if not each.startswith("^")]
            copy.input[:] = inputs[: 0 if node.op in READS else None]
            if node.op in READS:
                copy.op = "Placeholder"
                dtype = copy.attr["dtype"].type
                copy.attr.clear()
                copy.attr["dtype"].type = dtype
            elif undo.stops and node.op in STOPPING:
                copy.op = "Identity"
                copy.attr.pop("message", None)
            elif undo.casts and node.op in ROUNDING:
                copy.op = "Identity"
            if copy.op == "Placeholder" and f"{node.name}:0" in self.feeds:  # or gradients look for shapes, each anew
                shape = np.shape(self.feeds[f"{node.name}:0"])
                copy.attr["shape"].shape.CopyFrom(tensor_shape.TensorShape(shape).as_proto())
            gate = gates.get(f"{node.name}:0")
            if gate is not None:
                behind = graph_opening.nodes(gate, copy, self._fetch, undo.keep)
                graph.node.extend(behind)
                if behind:
                    cut[f"{node.name}:0"] = opened[f"{node.name}:0"] = f"{behind[-1].name}:0"
            for name in self._outputs(node):
                stopped = self._stopper(name, node, undo)
                if stopped is not None:
                    graph.node.add().CopyFrom(stopped)
                    cut[name] = stopped.name
        graph.versions.producer = 27
        return widening.graph(graph) if undo.wide else graph, opened

    def _outputs(self, node: Any) -> list[str]:
        known = self._step.dtypes
        names, index = [], 0
        while f"{node.name}:{index}" in known:
            names.append(f"{node.name}:{index}")
            index += 1
        return names

    def _stopper(self, name: str, node: Any, undo: Undo) -> Any:
        """A `StopGradient` behind a tensor that the tape does not know; None where it does."""
        dtype = self._step.dtypes[name]
        if dtypes.as_dtype(dtype).name not in _FLOATS:
            return None
        region = self._regions.get(name, "")
        if self._looking:
            stops = name in self._step.inner
        elif name in self._sources:
            outside = node.op in READS and bool(region) and region not in undo.regions
            own_pause = undo.stops and region == "paused" and self._is_stopped(name)
            stops = (outside and not own_pause) or not undo.watch
        else:
            stops = bool(region) and region not in undo.regions
            stops = stops and not (undo.stops and region == "paused" and node.op in STOPPING)
        if not stops:
            return None
        made = node_def_pb2.NodeDef(name=f"tensorwhy_cut/{name.replace(':', '_')}", op="StopGradient", input=[name])
        made.attr["T"].type = dtype
        return made

    def _is_stopped(self, name: str) -> bool:
        """Whether only `stop_gradient` takes a tensor: it pauses the tape while it reads a variable."""
        takers = [node for node in self._step.nodes if name in map(full, node.input)]
        return all(node.op in STOPPING for node in takers)

    def _uncast(self) -> dict[str, Any]:
        """The casts to integers, and those back from them, as nodes that keep the dtype."""
        changed: dict[str, Any] = {}
        for node in self._step.nodes:
            if node.op != "Cast" or _float(node.attr["DstT"].type) or not _float(node.attr["SrcT"].type):
                continue
            behind = [each for each in self._step.nodes if node.name in (full(i)[:-2] for i in each.input)]
            if not behind or any(each.op != "Cast" or not _float(each.attr["DstT"].type) for each in behind):
                raise Impossible("the value is used as an integer in the graph and cannot stay in floating point")
            kept = node_def_pb2.NodeDef(name=node.name, op="Identity")
            kept.attr["T"].type = node.attr["SrcT"].type
            changed[node.name] = kept
            for each in behind:
                back = node_def_pb2.NodeDef()
                back.CopyFrom(each)
                back.attr["SrcT"].type = node.attr["SrcT"].type
                changed[each.name] = back
        return changed

    def _values(self) -> dict[str, Any]:
        generator = np.random.default_rng(0)
        return {
            name: self._value(name, wanted, generator)
            for name, wanted in (self._step.wanted | (self._step.inner if self._looking else {})).items()
            if dtypes.as_dtype(wanted.dtype).name not in ("resource", "variant")
        }

    def _value(self, name: str, wanted: Wanted, generator: Any) -> Any:
        if self._arguments and name in self._arguments:
            return self._arguments[name]
        held = wanted.held() if wanted.held is not None else None
        dtype = dtypes.as_dtype(wanted.dtype)
        if wanted.held is not None and held is None:
            raise Impossible("an object that the graph read no longer exists")
        if held is not None:
            with context.eager_mode():
                read = (
                    gen_resource_variable_ops.read_variable_op(held, dtype) if wanted.read else array_ops.identity(held)
                )
                return np.asarray(read)
        self.made_up = True
        return _invented(dtype, wanted.shape, generator, self._rows())

    def _rows(self) -> int:
        """How many samples there are, where that is known."""
        return next((len(each) for each in (self._arguments or {}).values() if each.ndim), _UNKNOWN)

    def _drawn(self) -> dict[str, Any]:
        """What stateful operations give: random ones are executed once, others are made up."""
        from tensorflow.python.framework import op_def_registry

        random, made_up = [], {}
        generator = np.random.default_rng(1)
        for node in self._step.nodes:
            definition = op_def_registry.get(node.op)
            if node.op in (*READS, "Placeholder") or definition is None or not definition.is_stateful:
                continue
            for name in self._outputs(node):
                if self._looking and name in self._step.inner:
                    continue
                if self._arguments and name in self._arguments:
                    made_up[name] = self._arguments[name]
                elif node.op in RANDOM:
                    random.append(name)
                elif not node.attr["f"].HasField("func"):
                    shapes = [tuple(d.size for d in each.dim) for each in node.attr["output_shapes"].list.shape]
                    shape = shapes[int(name.rpartition(":")[2])] if shapes else None
                    known = tuple(None if size < 0 else size for size in shape) if shape is not None else None
                    made_up[name] = _invented(dtypes.as_dtype(self._step.dtypes[name]), known, generator)
                    self.made_up = True
        self.feeds |= made_up
        if not random:
            return made_up
        graph, _, _ = self.built(Undo())
        with context.graph_mode(), session_of(graph) as session:
            return made_up | dict(zip(random, session.run(random, self.feeds)))

    def _fetch(self, name: str) -> Any:
        """The value of a tensor in a copy without a change."""
        graph, _, _ = self.built(Undo())
        with context.graph_mode(), session_of(graph) as session:
            return np.asarray(session.run(full(name), self.feeds))


def _takes_resource(node: Any, step: GraphStep) -> bool:
    resource = dtypes.resource.as_datatype_enum
    return any(step.dtypes.get(full(each)) == resource for each in node.input)


def _float(dtype: int) -> bool:
    return dtypes.as_dtype(dtype).name in _FLOATS


def _invented(dtype: Any, shape: tuple[int | None, ...] | None, generator: Any, rows: int = _UNKNOWN) -> Any:
    if shape is None or dtype.name in ("string", "resource", "variant"):
        raise Impossible("the arguments of the function are no longer known and cannot be made up")
    size = [rows if each is None else each for each in shape]
    if dtype.is_floating or dtype.is_complex:
        return generator.standard_normal(size).astype(dtype.as_numpy_dtype)
    return np.zeros(size, dtype.as_numpy_dtype)


def _total(values: Any) -> float:
    return float(sum(np.sum(np.asarray(each), dtype=np.float64) for each in values))
