"""What the building of one graph has read. It hangs on the graph, and goes with it."""

from __future__ import annotations

import ast
import types
from collections.abc import Iterator
from typing import Any

import msgspec

from tensorwhy.adapters import autograph
from tensorwhy.adapters.tensorflow.tracing import draws
from tensorwhy.adapters.tensorflow.tracing.python_reads import Read
from tensorwhy.adapters.tensorflow.tracing.python_values import Scope
from tensorwhy.adapters.tensorflow.tracing.replaced import Named
from tensorwhy.adapters.tensorflow.tracing.rows import Row
from tensorwhy.recording.frames import locals_of

TRACING = "func_graph_from_py_func"
"""TensorFlow's function that every trace runs in: who called it, does so again in every step."""


class Kept(msgspec.Struct, frozen=True):
    """A read with the value that it had. `counted`: the trace counts on it, so that each call was to get another."""

    read: Read
    value: Any
    counted: bool


class Seen(msgspec.Struct):
    """One function of the user's in one trace."""

    name: str
    file: str
    scope: Scope
    reads: list[Kept]
    function: Any
    draws: list[draws.Draw]
    named: list[Named]
    carried: list[tuple[ast.expr, ast.stmt]]


class Trace:
    """What the building of one graph has read."""

    __slots__ = ("__weakref__", "around", "callers", "calls", "code", "functions", "lines", "row", "uncounted")

    def __init__(self) -> None:
        self.uncounted = 0
        self.code: set[int] = set()
        self.around: set[int] = set()
        self.callers: set[int] = set()
        self.lines: set[tuple[str, int]] = set()
        self.functions: list[Seen] = []
        self.calls = 0
        self.row: Row | None = None


def traced_above(frame: types.FrameType | None) -> set[int]:
    """The ids of the graphs that are being traced, and that this frame runs for."""
    found = set()
    while frame is not None:
        if frame.f_code.co_name == TRACING:
            found.add(id(locals_of(frame).get("func_graph")))
        frame = frame.f_back
    return found


def outermost(frame: types.FrameType, name: str) -> types.FrameType:
    """AutoGraph makes functions of loops and branches; the one around them has all the names of the user's."""
    outer: types.FrameType | None = frame
    while outer is not None and outer.f_code.co_name != f"tf__{name}":
        outer = outer.f_back if autograph.is_generated(frame.f_code.co_filename) else None
    return outer if outer is not None else frame


def graphs(graph: Any) -> Iterator[Any]:
    """The graph and the function graphs around it: an inner function runs whenever an outer one does."""
    while graph is not None and hasattr(graph, "structured_outputs"):
        yield graph
        graph = getattr(graph, "outer_graph", None)
