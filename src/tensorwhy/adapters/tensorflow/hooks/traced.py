"""Writes every operation of a graph into the journal, where the graph creates it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from typing import Any

from tensorwhy.adapters.tensorflow.hooks.recorder import Recorder
from tensorwhy.recording import journal as j
from tensorwhy.recording.around import told

_CALLING = frozenset(
    {
        "PartitionedCall",
        "StatefulPartitionedCall",
        "While",
        "StatelessWhile",
        "If",
        "StatelessIf",
        "Case",
        "StatelessCase",
        "SymbolicGradient",
        "RemoteCall",
    }
)

_BODY = "loop_body"
"""The name scope that TensorFlow opens for a function that it vectorises."""


def install(recorder: Recorder) -> None:
    """Replace the graph's constructor of operations."""
    from tensorflow.python.framework import ops

    bodies = _Bodies()

    def created(op: Any, graph: Any, op_type: str, inputs: Any, *args: Any, **kwargs: Any) -> None:
        if not recorder.active:
            return
        try:
            recorder.on_trace()
            place = bodies.place(op)
            if place is None:
                place = recorder.place(sys._getframe(1))
            bodies.met(op, place)
            write(recorder, op, op_type, inputs, place)
        except Exception as error:
            recorder.fail(error)

    def wrap_adding(original: Callable[..., Any]) -> Callable[..., Any]:
        def _add_outputs(op: Any, *args: Any) -> None:
            known = len(op.outputs) if recorder.active else 0
            original(op, *args)
            if recorder.active:
                try:
                    write(recorder, op, op.type, op.inputs, recorder.place(sys._getframe(1)), known)
                except Exception as error:
                    recorder.fail(error)

        return _add_outputs

    def wrap_updating(original: Callable[..., Any]) -> Callable[..., Any]:
        def _update_input(op: Any, *args: Any, **kwargs: Any) -> None:
            original(op, *args, **kwargs)
            if recorder.active and op.type == "Merge":
                try:
                    write(recorder, op, op.type, op.inputs, recorder.place(sys._getframe(1)))
                except Exception as error:
                    recorder.fail(error)

        return _update_input

    recorder.patches.replace(ops.Graph, "_create_op_internal", lambda original: told(original, created))
    # Gradients of loops, branches and calls need what was computed inside: the operation gets it as further outputs.
    owner = next((each for each in ops.Operation.__mro__ if "_add_outputs" in vars(each)), ops.Operation)
    recorder.patches.replace(owner, "_add_outputs", wrap_adding)
    # A loop of TensorFlow 1 is closed once its body is there: what an iteration gives to the next one comes last.
    owner = next((each for each in ops.Operation.__mro__ if "_update_input" in vars(each)), ops.Operation)
    recorder.patches.replace(owner, "_update_input", wrap_updating)


class _Bodies:
    """The places of operations in functions that `tf.vectorized_map` maps.

    Each of them is replaced by one for the whole batch, which is made once the function is over: it counts as made
    where the first was.
    """

    def __init__(self) -> None:
        self._places: dict[int, int] = {}

    def met(self, op: Any, place: int) -> None:
        """An operation was made."""
        if _BODY in op.name:
            self._places.update((tensor._id, place) for tensor in op.outputs)

    def place(self, op: Any) -> int | None:
        """Where the operation was made that this one replaces; None where it replaces none."""
        single = getattr(op, "_original_op", None)
        if single is None or not single.outputs or f"{single.name}/pfor/" not in op.name:
            return None
        return self._places.get(single.outputs[0]._id)


def write(recorder: Recorder, op: Any, op_type: str, inputs: Iterable[Any], place: int, known: int = 0) -> None:
    """Write one operation of a graph, or what it got beside its `known` outputs."""
    outs = tuple([t._id << 8 | (t.dtype.as_datatype_enum & 0xFF) for t in op.outputs[known:]])
    name = _with_functions(op, op_type) if op_type in _CALLING else op_type
    recorder.journal.add(j.GRAPH_OP, name, place, tuple([t._id for t in inputs]), outs)


def _with_functions(op: Any, op_type: str) -> str:
    """`While|cond_name|body_name`: an op that calls functions carries their names, branches in order."""
    functions = [
        item.name
        for key in ("f", "cond", "body", "then_branch", "else_branch", "branches")
        if key in op.node_def.attr
        for item in (op.node_def.attr[key].list.func or [op.node_def.attr[key].func])
    ]
    return "|".join([op_type, *functions])
