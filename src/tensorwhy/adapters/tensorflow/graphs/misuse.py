"""Finds the symbolic tensor that did not belong where it was used, in the frames that refused it."""

from __future__ import annotations

import itertools
from typing import Any

import msgspec
from tensorflow.python.framework import errors_impl

from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.graphs import captured, symbolic
from tensorwhy.model.location import Location

# Who holds the inputs of an operation that is to run eagerly, and under which names. The second half prepares them.
_EXECUTORS: dict[str, tuple[str, ...]] = {
    "quick_execute": ("inputs",),
    "TFE_Py_Execute": ("args",),
    "TFE_Py_ExecuteCancelable": ("args",),
    "TFE_Py_FastPathExecute": ("args",),
    "convert_to_mixed_eager_tensors": ("values",),
    "args_to_matching_eager": ("l",),
}
_GRAPH_LOCALS = ("inner_graph", "graph", "self")


class Misuse(msgspec.Struct, frozen=True, kw_only=True):
    """`graph` is the graph that refused the tensor, or has captured it already; None when it was used eagerly."""

    tensor: Any
    graph: Any | None
    used: Location | None


def find(live: LiveFailure) -> Misuse | None:
    """The first refusal in the chain. Reads what TensorFlow's own frames held; no message is parsed."""
    for exception, frames in zip(reversed(live.exceptions), reversed(live.frames), strict=True):
        captures = isinstance(exception, getattr(errors_impl, "InaccessibleTensorError", ()))
        if not captures and not isinstance(exception, (TypeError, ValueError, AttributeError)):
            continue
        inner = list(itertools.takewhile(lambda frame: frame.location is None, reversed(frames)))
        for frame in inner:
            found = _captured(frame) if captures else _executed(frame) or _dead(frame)
            if found is not None:
                tensor, graph = found
                used, gone = _used(live), symbolic.graph_of(tensor) is None
                inside = None if gone else captured.used_inside(tensor, inner, live.user)
                if inside is not None:
                    used, graph = _narrower(used, inside[0]), inside[1] if graph is None else graph
                return Misuse(tensor=tensor, graph=graph, used=used)
    return None


def _captured(frame: Frame) -> tuple[Any, Any] | None:
    """A graph that is asked to take in a tensor of another graph holds both of them."""
    local = frame.frame.f_locals
    tensor = local.get("tensor")
    if tensor is None or not symbolic.is_symbolic(tensor):
        return None
    for name in _GRAPH_LOCALS:
        graph = local.get(name)
        if symbolic.is_function_graph(graph) and not symbolic.encloses(symbolic.graph_of(tensor), graph):
            return tensor, graph
    return None


def _executed(frame: Frame) -> tuple[Any, None] | None:
    """The eager executor holds the inputs of the operation that it could not run; so do the recorder's entry points."""
    local = frame.frame.f_locals
    for name in _EXECUTORS.get(frame.frame.f_code.co_name, ()):
        for value in local.get(name) or ():
            if symbolic.is_symbolic(value):
                return value, None
    return None


def _dead(frame: Frame) -> tuple[Any, None] | None:
    """A tensor whose graph was taken apart can be used nowhere; TensorFlow up to 2.12 stumbles over it anywhere."""
    for value in frame.frame.f_locals.values():
        if symbolic.is_symbolic(value) and symbolic.graph_of(value) is None:
            return value, None
    return None


def _narrower(outer: Location | None, inside: Location) -> Location | None:
    """The line inside the traced function; the call itself where that is the same line: it has columns."""
    same = outer is not None and (outer.file, outer.line) == (inside.file, inside.line)
    return outer if same else inside


def _used(live: LiveFailure) -> Location | None:
    for place in live.roots():
        return place.own.location
    return None
