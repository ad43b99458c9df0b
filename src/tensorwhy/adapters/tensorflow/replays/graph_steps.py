"""What a replay of a traced step needs: the nodes that a target was computed from, as protocol buffers.

No tensor, graph or variable is kept alive: nodes are messages, and what a graph captured from outside is known by weak
references, which are asked for their values only when an experiment is made.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Sequence
from typing import Any, NamedTuple

from tensorflow.core.framework import node_def_pb2
from tensorflow.python.framework import dtypes as dtypes_of
from tensorflow.python.framework import tensor_util

NODES = 5_000
SIZE = 16 << 20
"""Bytes of nodes and function bodies; past either bound a traced step is not executed again."""
READS = ("ReadVariableOp",)
GATHERS = {"ResourceGather": "GatherV2", "ResourceGatherNd": "GatherNd"}
"""What reads rows of a variable, and what does the same with its value."""
_ROWS = 8_000_000
"""A variable with more numbers is not copied for a few rows of it."""


class Wanted(NamedTuple):
    """A tensor whose value comes from outside: `held` refers to it, or to its variable's handle; None: an argument.

    `handle` is the journal's id of what it refers to.
    """

    dtype: int
    shape: tuple[int | None, ...] | None
    held: weakref.ref[Any] | None
    read: bool = False
    handle: int = 0


class GraphStep(NamedTuple):
    """A part of a graph. Tensors are named `node:0`.

    `tensors` has the journal's ids of them, `dtypes` their dtypes. `wanted` are those whose values come from outside.
    `reads` tells by the id of a variable's handle which tensors are its value, `inner` are what loops and functions
    give that read variables themselves, and lists of tensors. `opened`: bodies stand in the place of calls.
    """

    nodes: tuple[Any, ...]
    library: Any
    tensors: dict[int, str]
    dtypes: dict[str, int]
    wanted: dict[str, Wanted]
    reads: dict[int, tuple[str, ...]]
    targets: tuple[str, ...]
    inner: dict[str, Wanted]
    opened: bool = False

    def limited(self, nodes: Sequence[Any], targets: tuple[str, ...]) -> GraphStep:
        """The step with these nodes alone, and what it knows of them."""
        there = {node.name for node in nodes}

        def kept(name: str) -> bool:
            return name.rpartition(":")[0] in there

        return self._replace(
            nodes=tuple(nodes),
            tensors={key: name for key, name in self.tensors.items() if kept(name)},
            dtypes={name: dtype for name, dtype in self.dtypes.items() if kept(name)},
            wanted={name: each for name, each in self.wanted.items() if kept(name)},
            reads={key: found for key, names in self.reads.items() if (found := tuple(filter(kept, names)))},
            targets=targets,
            inner={name: each for name, each in self.inner.items() if kept(name)},
        )


class Looked(NamedTuple):
    """A step whose values were looked at, with what is known of its arguments, by the tensors' names."""

    step: GraphStep
    arguments: dict[str, Any]


def step_of(targets: tuple[Any, ...]) -> GraphStep | str:
    """The step that these symbolic tensors were traced in; in words, why it is not kept."""
    graph = targets[0].graph
    found: dict[str, Any] = {}
    tables: dict[str, Any] = {}
    stack = [target.op for target in targets]
    while stack:
        op = stack.pop()
        if op.name in found:
            continue
        if op.graph is not graph:
            return "it is spread over several graphs"
        found[op.name] = op
        if len(found) > NODES:
            return f"the traced step is too long to replay (more than {NODES:,} operations)"
        table = outside(op.inputs[0], graph) if op.type in GATHERS else None
        if table is not None and is_small(table):
            tables[op.name] = table
        if op.type not in READS:
            stack.extend(each.op for each in op.inputs[1 if op.name in tables else 0 :])
    ops = [op for op in graph.get_operations() if op.name in found]
    captured = {id(internal): external for external, internal in graph.captures}
    tensors: dict[int, str] = {}
    dtypes: dict[str, int] = {}
    wanted: dict[str, Wanted] = {}
    reads: dict[int, tuple[str, ...]] = {}
    inner: dict[str, Wanted] = {}
    for op in ops:
        for output in op.outputs:
            tensors[output._id] = output.name
            dtypes[output.name] = output.dtype.base_dtype.as_datatype_enum
        if op.type in READS:
            handle = outside(op.inputs[0], graph)
            if handle is not None:
                wanted[op.outputs[0].name] = _wanted(op.outputs[0], handle, True)
                reads[handle._id] = (*reads.get(handle._id, ()), op.outputs[0].name)
        elif op.name in tables:
            table, name = tables[op.name], f"{read_of(op.name)}:0"
            dtypes[name] = dtypes[op.outputs[0].name]
            wanted[name] = Wanted(dtypes[name], None, weakref.ref(table), True, table._id)
            reads[table._id] = (*reads.get(table._id, ()), name)
        elif op.type == "Placeholder" and op.outputs:
            external = captured.get(id(op.outputs[0]))
            held = outside(op.outputs[0], graph) if external is not None else None
            wanted[op.outputs[0].name] = _wanted(op.outputs[0], held, False)
        elif any(each.dtype in (dtypes_of.resource, dtypes_of.variant) for each in op.inputs):
            inner |= {output.name: _wanted(output, None, False) for output in op.outputs}
    nodes = tuple(node for op in ops for node in (in_two(op.node_def) if op.name in tables else (op.node_def,)))
    calls = any(value.HasField("func") or value.list.func for node in nodes for value in node.attr.values())
    library = graph.as_graph_def().library if calls else None
    size = sum(node.ByteSize() for node in nodes) + (library.ByteSize() if library is not None else 0)
    if size > SIZE:
        return f"the traced step is too large to replay (more than {SIZE >> 20} MB)"
    return GraphStep(nodes, library, tensors, dtypes, wanted, reads, tuple(target.name for target in targets), inner)


def full(name: str) -> str:
    """`node` in a definition stands for `node:0`."""
    return name if ":" in name else f"{name}:0"


def read_of(gather: str) -> str:
    """The name of the node that reads a whole variable for a gather."""
    return f"tensorwhy_read/{gather}"


def in_two(node: Any) -> tuple[Any, ...]:
    """What reads rows of a variable, as a read of all of it and a gather from that."""
    read = node_def_pb2.NodeDef(name=read_of(node.name), op=READS[0], input=node.input[:1])
    read.attr["dtype"].CopyFrom(node.attr["dtype"])
    made = node_def_pb2.NodeDef(name=node.name, op=GATHERS[node.op], input=[read.name, node.input[1]])
    made.attr["Tparams"].CopyFrom(node.attr["dtype"])
    made.attr["Tindices"].CopyFrom(node.attr["Tindices"])
    if "batch_dims" not in node.attr:
        return read, made
    axis = node_def_pb2.NodeDef(name=f"{read.name}/axis", op="Const")
    axis.attr["dtype"].type = made.attr["Taxis"].type = dtypes_of.int32.as_datatype_enum
    axis.attr["value"].tensor.CopyFrom(tensor_util.make_tensor_proto(node.attr["batch_dims"].i, dtypes_of.int32))
    made.attr["batch_dims"].CopyFrom(node.attr["batch_dims"])
    made.input.append(axis.name)
    return axis, read, made


def is_small(handle: Any) -> bool:
    """Whether all of a variable may be read where the graph reads some rows."""
    data = getattr(handle, "_handle_data", None)
    if data is None or len(data.shape_and_type) != 1:
        return False
    return bool(math.prod(each.size for each in data.shape_and_type[0].shape.dim) <= _ROWS)


def calls_python(step: GraphStep) -> bool:
    """Whether a part of it is a function of the user's, which nobody but the program calls."""
    bodies = step.library.function if step.library is not None else ()
    return any("PyFunc" in node.op for nodes in (step.nodes, *(body.node_def for body in bodies)) for node in nodes)


def function_of(graph: Any, op: Any, attribute: str) -> Any:
    """The graph of a function that an operation calls; None where it is not at hand."""
    definition = graph._get_function(op.get_attr(attribute).name)
    found = getattr(definition, "graph", None)
    return found if found is not None and len(found.inputs) == len(op.inputs) else None


def _wanted(tensor: Any, held: Any, read: bool) -> Wanted:
    shape = tensor.shape
    known = tuple(shape.as_list()) if shape.rank is not None else None
    dtype = tensor.dtype.base_dtype.as_datatype_enum
    return Wanted(dtype, known, weakref.ref(held), read, held._id) if held is not None else Wanted(dtype, known, None)


def outside(tensor: Any, graph: Any) -> Any:
    """The eager tensor that a captured one stands for, through functions within functions; None for an argument."""
    while graph is not None and not hasattr(tensor, "_datatype_enum"):
        external = next((outer for outer, inner in graph.captures if inner is tensor), None)
        if external is None:
            return None
        tensor, graph = external, getattr(external, "graph", None) if not hasattr(external, "_datatype_enum") else None
    return tensor if hasattr(tensor, "_datatype_enum") else None
