"""One branch of a condition on a tensor, which tracing executes whatever the tensor will be.

It fails there: by a `raise`, or because the branch is only meant for tensors that this condition lets in.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, Literal

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.facts import Fact
from tensorwhy.model.facts.graph import RaisedWhileTracing
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_CONDITIONS = ("cond", "cond_for_tf_v2", "switch_case", "case", "case_v2")


def probe(live: LiveFailure) -> Iterator[Fact]:
    sources = Sources()
    for frames in reversed(live.frames):
        found = _in_frames(frames, sources)
        if found is not None:
            yield found
            return


def _in_frames(frames: tuple[Frame, ...], sources: Sources) -> RaisedWhileTracing | None:
    """The user's frames inside the innermost condition must lead to a `raise` without any condition of Python's."""
    start = max((index for index, frame in enumerate(frames) if _is_condition(frame)), default=None)
    if start is None:
        return None
    inside = [(frame, frame.location) for frame in frames[start + 1 :]]
    running = [(frame, location) for frame, location in inside if location is not None]
    if not running:
        return None
    raised = running[-1][1]
    statement = sources.statement(raised)
    if not isinstance(statement, ast.Raise) or statement.exc is None or frames[-1].location is None:
        return _never_taken(frames[start], running, raised, sources)
    branch: Literal["true", "false", "unknown"] = "unknown"
    condition: Location | None = None
    for index, (frame, location) in enumerate(running):
        conditions = _conditions_around(location, sources)
        if index == 0 and frame.frame.f_code.co_name in ("if_body", "else_body") and conditions:
            node = conditions.pop()
            branch = "true" if frame.frame.f_code.co_name == "if_body" else "false"
            condition = _test(node, location, sources)
        if conditions:
            return None
    outside = [frame.location for frame in frames[:start] if frame.location is not None]
    return RaisedWhileTracing(
        raised=raised,
        condition=condition or (outside[-1] if outside else None),
        branch=branch,
        exception=ast.unparse(statement.exc),
    )


def _never_taken(
    decides: Frame, running: list[tuple[Frame, Location]], raised: Location, sources: Sources
) -> RaisedWhileTracing | None:
    """A branch that fails while it is traced, and that the condition, whose value is known by then, never takes."""
    taken = _BRANCHES.get(running[0][0].frame.f_code.co_name)
    value = _known_value(decides.frame.f_locals.get("cond"))
    conditions = _conditions_around(running[0][1], sources)
    if taken is None or value is None or value is taken or not conditions:
        return None
    return RaisedWhileTracing(
        raised=raised,
        condition=_test(conditions[-1], running[0][1], sources),
        branch="true" if taken else "false",
        exception="",
    )


_BRANCHES = {"if_body": True, "else_body": False}


def _known_value(condition: Any) -> bool | None:
    """The value of a condition that only depends on what is known while tracing: a rank, a static shape."""
    from tensorflow.python.framework import tensor_util

    if not symbolic.is_symbolic(condition):
        return None
    value = tensor_util.constant_value(condition)
    return None if value is None else bool(value)


def _is_condition(frame: Frame) -> bool:
    """AutoGraph's `if` on a tensor, or `tf.cond` and its kin while a graph is being built."""
    code, local = frame.frame.f_code, frame.frame.f_locals
    file = code.co_filename.replace("\\", "/")
    if "/tensorflow/python/" not in file:
        return False
    if code.co_name == "_tf_if_stmt":
        return symbolic.is_symbolic(local.get("cond"))
    if code.co_name in ("converted_call", "_call_unconverted"):
        function, arguments = local.get("f"), local.get("args") or ()
    elif code.co_name == "error_handler":
        function, arguments = local.get("fn"), local.get("args") or ()
    else:
        return False
    module = getattr(function, "__module__", None) or ""
    name = getattr(function, "__name__", "")
    if name not in _CONDITIONS or not str(module).startswith("tensorflow."):
        return False
    given = [*arguments, *(local.get("kwargs") or {}).values()]
    return any(symbolic.is_symbolic(value) for value in given)


def _conditions_around(location: Location, sources: Sources) -> list[ast.stmt]:
    """The compound statements of the function that decide whether the line runs, outermost first."""
    function = sources.function(location)
    if function is None:
        return []
    found: list[ast.stmt] = []
    node: ast.AST = function
    while True:
        inner = next((child for child in ast.iter_child_nodes(node) if _holds(child, location.line)), None)
        if inner is None:
            return found
        if isinstance(inner, (ast.If, ast.For, ast.While, ast.Try, ast.Match)):
            found.append(inner)
        node = inner


def _holds(node: ast.AST, line: int) -> bool:
    return isinstance(node, ast.stmt) and reading.on_line(node, line)


def _test(node: ast.stmt, location: Location, sources: Sources) -> Location | None:
    return reading.place(node.test, location, sources) if isinstance(node, ast.If) else None
