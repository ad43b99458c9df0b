"""Puts the bodies of the functions that a traced step calls in the place of the calls, so that a copy of the step can
undo what is lost inside of them.

Functions within functions are opened up to a depth, and up to as many operations as a step may have. Branches and loops
stay what they are. What cannot be opened stays a call, and what is lost inside of it unverified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from tensorflow.core.framework import graph_pb2, node_def_pb2
from tensorflow.python.framework import function_def_to_graph, importer, ops

from tensorwhy.adapters.tensorflow.gradients.op_kinds import CALLS
from tensorwhy.adapters.tensorflow.replays.graph_steps import (
    GATHERS,
    NODES,
    READS,
    GraphStep,
    Wanted,
    full,
    in_two,
    is_small,
)

DEPTH = 4


def inlined(step: GraphStep) -> GraphStep:
    """The same step without calls of functions; the step as it is where none can be opened."""
    try:
        return _inlined(step)
    except Exception:  # TensorFlow may refuse a body in many ways: then the call is executed as it is
        return step


def _inlined(step: GraphStep) -> GraphStep:
    if step.library is None or not any(node.op in CALLS for node in step.nodes):
        return step
    opening = _Opening({body.signature.name: body for body in step.library.function})
    opened = list(_gathers(opening.opened(step.nodes, DEPTH), step.wanted))
    nodes = needed(opened, opening.results, step.targets)
    if not opening.results or len(nodes) > NODES:
        return step
    dtypes = {**step.dtypes, **_dtypes(nodes, step.library)}
    wanted, reads = dict(step.wanted), dict(step.reads)
    known = {node.name for node in step.nodes}
    for node in nodes:
        if node.op in READS and node.name not in known:
            variable = wanted.get(full(node.input[0]))
            if variable is None or not variable.handle:
                return step
            name = f"{node.name}:0"
            wanted[name] = Wanted(dtypes[name], None, variable.held, True, variable.handle)
            reads[variable.handle] = (*reads.get(variable.handle, ()), name)
    tensors = {key: opening.now(name) for key, name in step.tensors.items()}
    whole = step._replace(opened=True, tensors=tensors, dtypes=dtypes, wanted=wanted, reads=reads)
    return whole.limited(nodes, tuple(map(opening.now, step.targets)))


def _gathers(nodes: Iterable[Any], wanted: Mapping[str, Wanted]) -> Iterator[Any]:
    """The nodes, with those in two that read rows of a variable."""
    for node in nodes:
        variable = wanted.get(full(node.input[0])) if node.op in GATHERS else None
        handle = variable.held() if variable is not None and variable.held is not None else None
        yield from in_two(node) if handle is not None and is_small(handle) else (node,)


class _Opening:
    """`results` tells by the name of a call's output which tensor of its body that is."""

    def __init__(self, bodies: Mapping[str, Any]) -> None:
        self.results: dict[str, str] = {}
        self._bodies = bodies
        self._made = 0

    def now(self, name: str) -> str:
        """What stands for a tensor."""
        while name in self.results:
            name = self.results[name]
        return name

    def opened(self, nodes: Iterable[Any], depth: int) -> Iterator[Any]:
        """The nodes, with what the calls among them do in their place."""
        for node in nodes:
            body = self._bodies.get(node.attr["f"].func.name) if node.op in CALLS and depth else None
            if body is None:
                yield node
            else:
                yield from self.opened(self._body(node, body), depth - 1)

    def _body(self, call: Any, body: Any) -> Iterator[Any]:
        graph, flat = function_def_to_graph.function_def_to_graph_def(body)
        given = [full(each) for each in call.input if not each.startswith("^")]
        arguments = {f"{argument.name}:0": each for argument, each in zip(body.signature.input_arg, given)}
        inside = f"{call.name}/opened/"

        def renamed(name: str) -> str:
            return arguments.get(full(name)) or inside + full(name)

        for node in graph.node:
            if f"{node.name}:0" in arguments:
                continue
            copy = node_def_pb2.NodeDef()
            copy.CopyFrom(node)
            copy.name = inside + node.name
            copy.input[:] = [renamed(each) for each in node.input if not each.startswith("^")]
            yield copy
        for position, output in enumerate(body.signature.output_arg):
            made = node_def_pb2.NodeDef(name=f"{inside}result_{position}", op="Identity")
            made.input.append(renamed(flat[body.ret[output.name]]))
            made.attr["T"].type = call.attr["Tout"].list.type[position]
            self.results[f"{call.name}:{position}"] = f"{made.name}:0"
            yield made


def needed(nodes: list[Any], results: Mapping[str, str], targets: Iterable[str]) -> list[Any]:
    """The nodes that the targets come from, in the order of execution."""

    def now(name: str) -> str:
        while name in results:
            name = results[name]
        return name

    by_name = {node.name: node for node in nodes}
    order: list[Any] = []
    seen: set[str] = set()
    stack = [(now(full(target)).rpartition(":")[0], False) for target in targets]
    while stack:
        name, done = stack.pop()
        if done:
            order.append(by_name[name])
        elif name not in seen:
            seen.add(name)
            stack.append((name, True))
            inputs = [now(full(each)) for each in by_name[name].input if not each.startswith("^")]
            if results and any(each.startswith("^") or now(full(each)) != full(each) for each in by_name[name].input):
                copy = node_def_pb2.NodeDef()
                copy.CopyFrom(by_name[name])
                copy.input[:] = inputs
                by_name[name] = copy
            if by_name[name].op not in READS:
                stack.extend((each.rpartition(":")[0], False) for each in inputs)
    return order


def _dtypes(nodes: Iterable[Any], library: Any) -> dict[str, int]:
    """The dtypes of all outputs, as TensorFlow infers them."""
    definition = graph_pb2.GraphDef()
    definition.library.CopyFrom(library)
    definition.versions.producer = 27
    for node in nodes:
        copy = definition.node.add()
        copy.CopyFrom(node)
        copy.attr.pop("_class", None)
        if node.op in READS:
            dtype = node.attr["dtype"].type
            copy.Clear()
            copy.name, copy.op = node.name, "Placeholder"
            copy.attr["dtype"].type = dtype
    with ops.Graph().as_default() as graph:
        importer.import_graph_def(definition, name="")
        return {
            output.name: output.dtype.base_dtype.as_datatype_enum
            for op in graph.get_operations()
            for output in op.outputs
        }
