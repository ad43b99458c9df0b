"""Finds the loops of a traced function that ran no iteration: what only their bodies use gets zeros.

A loop shows nothing of what it does. So its condition is computed for what it is given first, from a copy of that part
of the graph which the condition needs. Where that part is not known for certain, nothing is said of the loop. A
variable counts as known if the whole function does nothing but read it, and within another loop what no round changes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from tensorflow.python.client import session as sessions
from tensorflow.python.eager import context
from tensorflow.python.framework import dtypes, errors, function_def_to_graph, importer, ops
from tensorflow.python.ops import gen_resource_variable_ops

from tensorwhy.adapters.tensorflow.gradients.op_kinds import CALLS
from tensorwhy.adapters.tensorflow.replays.graph_steps import READS, calls_python, function_of, step_of
from tensorwhy.adapters.tensorflow.replays.observed_graph import ObservedGraph
from tensorwhy.adapters.tensorflow.replays.opening import Impossible

_LOOPS = ("While", "StatelessWhile")
_MOST = 32
"""So many loops of one graph are looked at."""


_FEW = 100
"""Of so many operations may a number be computed that a called function or a body is given."""
_DEPTH = 4
"""So deep are loops looked for in functions, and in the bodies of other loops."""


def skipped(graph: Any, given: Mapping[str, Any]) -> set[int]:
    """The first outputs of the loops that did not run, `given` being values of the graph's inputs by their names."""
    held = {internal.name: external for external, internal in graph.captures if external.dtype == dtypes.resource}
    read = {name: handle for name, handle in held.items() if _is_only_read(graph, graph.get_tensor_by_name(name))}
    return _skipped(graph, given, read, _DEPTH)


def _skipped(graph: Any, given: Mapping[str, Any], held: Mapping[str, Any], depth: int) -> set[int]:
    """The same, for a function or body as well; `held` are variables that do not change, by the names of inputs."""
    operations = graph.get_operations()
    loops = [op for op in operations if op.type in _LOOPS][:_MOST]
    calls = [op for op in operations if op.type in CALLS][:_MOST] if depth else []
    if not loops and not calls:
        return set()
    library = graph.as_graph_def().library
    found: set[int] = set()
    for loop in loops:
        runs = _holds(loop, library, given, held)
        body = function_of(graph, loop, "body")
        if runs is False:
            found.add(loop.outputs[0]._id)
        elif runs and body is not None and depth:
            kept = [i for i, output in enumerate(body.outputs) if _origin(output) is body.inputs[i]]
            found |= _skipped(body, *_inputs(loop, body, kept, given, held), depth - 1)
    called: dict[int, set[int]] = {}
    for call in calls:
        function = function_of(graph, call, "f")
        if function is not None and any(op.type in (*_LOOPS, *CALLS) for op in function.get_operations()):
            inner = _skipped(function, *_inputs(call, function, range(len(call.inputs)), given, held), depth - 1)
            called[id(function)] = called.get(id(function), inner) & inner  # it may run in one call alone
    return found.union(*called.values())


def _inputs(
    op: Any, inner: Any, positions: Iterable[int], given: Mapping[str, Any], held: Mapping[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Of these inputs of a function or body: values, as far as they are known, and variables, by their names inside.

    What is not known beforehand is computed for whole numbers alone, which say how often a loop runs, and where that is
    quickly done: anything else would take as long as the step itself.
    """
    values: dict[str, Any] = {}
    variables: dict[str, Any] = {}
    for position in positions:
        outer, name = op.inputs[position], inner.inputs[position].name
        if outer.name in held:
            variables[name] = held[outer.name]
        elif outer.name in given:
            values[name] = given[outer.name]
        elif outer.shape.rank == 0 and (outer.dtype.is_integer or outer.dtype.is_bool):
            try:
                known = values_of((outer,), given, _FEW)
            except (Impossible, errors.OpError, ValueError, TypeError, LookupError):
                continue
            if known is not None:
                values[name] = np.asarray(known[0])
    return values, variables


def _origin(tensor: Any) -> Any:
    while tensor.op.type == "Identity":
        tensor = tensor.op.inputs[0]
    return tensor


def _is_only_read(graph: Any, tensor: Any) -> bool:
    """Return whether a graph, and all that it calls, does nothing to a variable but read it."""
    for op in tensor.consumers():
        if op.type in READS:
            continue
        names = ("f",) if op.type in CALLS else ("cond", "body") if op.type in _LOOPS else ()
        inner = [function_of(graph, op, name) for name in names]
        if not inner or None in inner:
            return False
        at = [position for position, given in enumerate(op.inputs) if given is tensor]
        if not all(_is_only_read(each, each.inputs[position]) for each in inner for position in at):
            return False
    return True


def _holds(loop: Any, library: Any, given: Mapping[str, Any], held: Mapping[str, Any]) -> bool | None:
    """Return whether the condition holds for what the loop is given first; None where that cannot be known."""
    name = loop.get_attr("cond").name
    definition = next((each for each in library.function if each.signature.name == name), None)
    if definition is None:
        return None
    try:
        condition, flat = function_def_to_graph.function_def_to_graph_def(definition)
        result = flat[definition.ret[definition.signature.output_arg[0].name]]
        nodes = _behind(condition, result)
        inputs = {arg.name: loop.inputs[i] for i, arg in enumerate(definition.signature.input_arg) if arg.name in nodes}
        feeds = _reads(condition, nodes, {arg: held[each.name] for arg, each in inputs.items() if each.name in held})
        needed = {arg: each for arg, each in inputs.items() if each.name not in held}
        values = values_of(tuple(needed.values()), given) if needed else ()
        if values is None:
            return None
        feeds |= {f"{arg}:0": value for arg, value in zip(needed, values)}
        with context.graph_mode():
            copy = ops.Graph()
            with copy.as_default(), sessions.Session(graph=copy) as session:
                condition.library.CopyFrom(library)
                importer.import_graph_def(condition, name="")
                return bool(np.all(session.run(result, feeds)))
    except (Impossible, errors.OpError, ValueError, TypeError, LookupError):
        return None  # it needs what only the program itself has: a variable that changes, a Python function


def _reads(condition: Any, nodes: set[str], held: Mapping[str, Any]) -> dict[str, Any]:
    """What the condition reads of variables, by the names of the tensors."""
    found = {}
    for node in condition.node:
        source = node.input[0].partition(":")[0] if node.input else ""
        if node.name in nodes and node.op in READS and source in held:
            with context.eager_mode():
                read = gen_resource_variable_ops.read_variable_op(
                    held[source], dtypes.as_dtype(node.attr["dtype"].type)
                )
                found[f"{node.name}:0"] = np.asarray(read)
    return found


def values_of(tensors: tuple[Any, ...], given: Mapping[str, Any], most: int | None = None) -> tuple[Any, ...] | None:
    """Their values; None where that needs what is not known, or, with `most`, a loop, a call or more operations."""
    step = step_of(tensors)
    if isinstance(step, str) or calls_python(step):
        return None
    if most is not None and (len(step.nodes) > most or any(node.op in (*_LOOPS, *CALLS) for node in step.nodes)):
        return None
    copy = ObservedGraph(step, (), given)
    return None if copy.made_up else tuple(copy.answer().targets)


def _behind(graph: Any, result: str) -> set[str]:
    """The names of the nodes that a result is computed from."""
    by_name = {node.name: node for node in graph.node}
    found: set[str] = set()
    stack = [result.partition(":")[0]]
    while stack:
        name = stack.pop()
        if name not in found and name in by_name:
            found.add(name)
            stack += [each.lstrip("^").partition(":")[0] for each in by_name[name].input]
    return found
