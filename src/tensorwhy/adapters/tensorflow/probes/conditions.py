"""Conditions of traced loops and branches that are not one truth value: a vector, or no bool at all."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Any

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.tensorflow.failures import failed_node, mapped_calls, signatures
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.loops import NoCondition
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_AUTOGRAPH = "autograph/operators/control_flow.py"
_CALLS = {"while_loop": (0, "cond"), "cond": (0, "pred")}
_LOOPS = ("While", "StatelessWhile")
_BRANCHES = ("If", "StatelessIf")
_ASKING = (
    ("bool__", "ops.py"),
    ("eager_cond_implementation", "cond.py"),
    ("eager_cond_implementation", "control_flow_ops.py"),
)
# Only the kernels know, and put it into their messages.
_SWITCH = re.compile(r"second input must be a scalar, but it has shape \[(\d[\d,]*)\]")
_SIZE = re.compile(r"tensor with (\d+) values")


def probe(live: LiveFailure) -> Iterable[Fact]:
    """The condition that was refused: while tracing, when the graph ran, or eagerly."""
    way = live.joined()
    fact = _traced(live, way) or _reshaped(live, way) or _executed(live, way) or _eager(live, way)
    return (fact,) if fact is not None else ()


def _traced(live: LiveFailure, way: Stack) -> Fact | None:
    """AutoGraph refuses it as soon as dtype and shape tell."""
    found = way.first("verify_tf_condition", _AUTOGRAPH)
    if found is None or way.below(found[0]) or not isinstance(live.exceptions[-1], ValueError):
        return None
    caller, condition = way.caller(found[0]), found[1].local("cond")
    if caller is None or caller.location is None or not hasattr(condition, "dtype"):
        return None
    return _of_statement(caller.location, signatures.dtype_name(condition), signatures.shape_of(condition))


def _reshaped(live: LiveFailure, way: Stack) -> Fact | None:
    """AutoGraph did not know the shape, and made a scalar of it."""
    found = failed_node.failed(live.exceptions, way)
    if found is None or found[0].type != "Reshape":
        return None
    made = failed_node.origin(found[0], live.user)
    if made.location is None or not made.through("verify_tf_condition", _AUTOGRAPH):
        return None
    size = _SIZE.search(str(getattr(found[1], "message", "")))
    return _of_statement(made.location, "bool", None, int(size[1]) if size else None)


def _of_statement(statement: Location, dtype: str, shape: Any, size: int | None = None) -> Fact | None:
    sources = Sources()
    for node in reading.nodes_at(statement, sources):
        if isinstance(node, (ast.If, ast.While)) and node.lineno == statement.line:
            return NoCondition(
                construct="if" if isinstance(node, ast.If) else "while",
                statement=statement,
                condition=reading.place(node.test, statement, sources),
                text=ast.unparse(node.test),
                dtype=dtype,
                shape=shape,
                size=size,
            )
    return None


def _executed(live: LiveFailure, way: Stack) -> Fact | None:
    """`tf.while_loop` and `tf.cond` take any shape while they are traced; their switch fails when the graph runs."""
    from tensorflow.python.framework import errors_impl

    for error in live.exceptions:
        refused = _SWITCH.search(error.message) if isinstance(error, errors_impl.InvalidArgumentError) else None
        operation = _switch(failed_node.named(error), way) if refused is not None else None
        made = failed_node.origin(operation, live.user).location if operation is not None else None
        if refused is not None and made is not None:
            return _of_call(made, tuple(map(int, refused[1].split(","))), live)
    return None


def _switch(nodes: list[str], way: Stack) -> Any:
    """The loop or branch that a node was made of, or is the gradient of; else any that cannot work as it is."""
    every = [(operation, condition) for operation, condition in _switches(way) if _shape(condition) != ()]
    named = [
        condition for node in nodes for operation, condition in every if f"{node}/".startswith(f"{operation.name}/")
    ]
    found = [operation for operation, condition in every if any(condition is each for each in named)]
    found += [operation for operation, condition in every if _shape(condition)]
    return found[0] if found else None


def _switches(way: Stack) -> Iterator[tuple[Any, Any]]:
    """Loops and branches, each with its condition."""
    for graph in failed_node.graphs(way):
        for operation in graph.get_operations():
            if operation.type in _BRANCHES:
                condition = operation.inputs[0]
            elif operation.type in _LOOPS:
                function = graph._functions.get(operation.get_attr("cond").name)
                outputs = getattr(getattr(function, "graph", None), "outputs", None)
                condition = outputs[0] if outputs else None
            else:
                continue
            yield operation, condition


def _shape(condition: Any) -> Any:
    return signatures.shape_of(condition) if condition is not None else None


def _eager(live: LiveFailure, way: Stack) -> Fact | None:
    """The same called eagerly: the call itself asks for the truth value, or makes an array of it first."""
    last = way.frames[-1] if way.frames else None
    if last is None or (last.name, last.file.rpartition("/")[2]) not in _ASKING:
        return None
    shape = signatures.shape_of(last.local("self" if last.name == "bool__" else "pred"))
    found = way.first(("while_loop", "eager_cond_implementation"))
    if not shape or found is None or way.below(found[0]):
        return None
    caller = way.caller(found[0])
    return _of_call(caller.location, shape, live) if caller is not None and caller.location is not None else None


def _of_call(at: Location, shape: Any, live: LiveFailure) -> Fact:
    """The condition is an argument: a tensor, or a function that gives it. An unknown call is told as it is."""
    sources = Sources()
    for construct, (position, name) in _CALLS.items():
        found = reading.named_call(at, sources, construct)
        argument = reading.argument(found[0], position, name) if found is not None else None
        if found is None or argument is None:
            continue
        condition, where = argument, at
        if construct == "while_loop":
            function, defined = mapped_calls.definition(argument, at, sources, live.user)
            values = reading.returns(function) if function is not None else ()
            if len(values) == 1 and defined is not None:
                condition, where = values[0], defined
        place, text = reading.place(condition, where, sources), ast.unparse(condition)
        return NoCondition(
            construct=construct, statement=found[1], condition=place, text=text, dtype="bool", shape=shape
        )
    whole = reading.exact(at, sources) or at
    return NoCondition(construct="", statement=whole, condition=whole, text="", dtype="bool", shape=shape)
