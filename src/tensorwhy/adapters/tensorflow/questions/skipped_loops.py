"""Finds the loops of a traced function that ran no iteration: what only their bodies use gets zeros.

A loop shows nothing of what it does. So its condition is computed for what it is given first, from a copy of that part
of the graph which the condition needs. Where that part is not known for certain, nothing is said of the loop.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from tensorflow.python.client import session as sessions
from tensorflow.python.eager import context
from tensorflow.python.framework import errors, function_def_to_graph, importer, ops

from tensorwhy.adapters.tensorflow.replays.graph_replay import GraphReplay
from tensorwhy.adapters.tensorflow.replays.graph_steps import calls_python, step_of
from tensorwhy.adapters.tensorflow.replays.replay import Impossible, Undo

_LOOPS = ("While", "StatelessWhile")
_MOST = 32
"""So many loops of one graph are looked at."""


def skipped(graph: Any, given: Mapping[str, Any]) -> set[int]:
    """The first outputs of the loops that did not run, `given` being values of the graph's inputs by their names."""
    loops = [op for op in graph.get_operations() if op.type in _LOOPS][:_MOST]
    if not loops:
        return set()
    library = graph.as_graph_def().library
    return {loop.outputs[0]._id for loop in loops if _holds(loop, library, given) is False}


def _holds(loop: Any, library: Any, given: Mapping[str, Any]) -> bool | None:
    """Whether the condition holds for what the loop is given first; None where that cannot be known."""
    name = loop.get_attr("cond").name
    definition = next((each for each in library.function if each.signature.name == name), None)
    if definition is None:
        return None
    try:
        condition, flat = function_def_to_graph.function_def_to_graph_def(definition)
        result = flat[definition.ret[definition.signature.output_arg[0].name]]
        nodes = _behind(condition, result)
        needed = {arg.name: loop.inputs[i] for i, arg in enumerate(definition.signature.input_arg) if arg.name in nodes}
        values = _values(tuple(needed.values()), given) if needed else ()
        if values is None:
            return None
        with context.graph_mode():
            copy = ops.Graph()
            with copy.as_default(), sessions.Session(graph=copy) as session:
                condition.library.CopyFrom(library)
                importer.import_graph_def(condition, name="")
                return bool(np.all(session.run(result, {f"{arg}:0": value for arg, value in zip(needed, values)})))
    except (Impossible, errors.OpError, ValueError, TypeError, LookupError):
        return None  # it needs what only the program itself has: a variable, another loop, a Python function


def _values(tensors: tuple[Any, ...], given: Mapping[str, Any]) -> tuple[Any, ...] | None:
    step = step_of(tensors)
    if isinstance(step, str) or calls_python(step):
        return None
    replay = GraphReplay(step, None, False, lambda tensor: "", given)
    if replay.made_up:
        return None
    graph, targets, _ = replay.built(Undo(watch=True))
    with context.graph_mode(), sessions.Session(graph=graph) as session:
        return tuple(session.run(targets, replay.feeds))


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
