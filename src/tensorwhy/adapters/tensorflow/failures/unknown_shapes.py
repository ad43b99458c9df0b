"""Recognises a refusal of TensorFlow or Keras because a static shape is not known, and the tensors that it may be.

The evidence is where it was raised: in a method of a shape of unknown rank, under a condition of the library's own
source that asks whether a rank or a dimension is None, or where a layer's `build` computes with a None.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from types import FrameType
from typing import Any, Literal

import msgspec
import tensorflow as tf

from tensorwhy.adapters.keras_common import packages
from tensorwhy.adapters.protocol import LiveFailure
from tensorwhy.adapters.stack import Frame
from tensorwhy.adapters.tensorflow.graphs import symbolic
from tensorwhy.model.location import Location
from tensorwhy.source import reading
from tensorwhy.source.files import Sources

_SHAPES = re.compile(r"\b(input_)?shape|dims?\b|\bn?dims\b|rank")
_LIBRARIES = ("tensorflow.", "keras.", "tf_keras.")
_MOST, _DEEPEST = 64, 4


Part = Literal["rank", "last", "any"]
"""Which part of a static shape is missing: the number of axes, or also the size of the last one, or of any."""


class Refusal(msgspec.Struct, frozen=True):
    """`tensors` are those without a known shape near the refusal, nearest first; `calls` all frames, innermost first.

    `part` is what is needed of the shape. `needed` is the user's innermost line, `by` the layer that refused.
    """

    tensors: tuple[Any, ...]
    calls: tuple[Frame, ...]
    part: Part
    needed: Location
    by: str


def find(live: LiveFailure, sources: Sources) -> Refusal | None:
    """The refusal, of the exception that was raised first."""
    for stack, frames in zip(live.whole(), reversed(live.frames), strict=False):
        if not frames or not isinstance(stack.exception, (ValueError, TypeError, AttributeError)):
            continue
        calls = tuple(reversed(stack.frames))
        needed = next((each.location for each in calls if each.location is not None), None)
        computes = _computes_with_none(stack.exception, calls)
        if needed is None or not (computes or _refuses(frames[-1], sources)):
            continue
        layers = _layers(calls)
        by = str(getattr(layers[0].local("self"), "name", "")) if layers else ""
        tensors = () if computes == "last" else tuple(_without_rank(calls))
        if tensors:
            return Refusal(tensors=tensors, calls=calls, part="rank", needed=needed, by=by)
        tensors = tuple(each for layer in layers for each in _given(layer) if lost(each, "last"))
        if tensors and any(lost(each, "last") for each in _given(layers[0])):
            return Refusal(tensors=tensors, calls=calls, part="last", needed=needed, by=by)
    return None


def lost(tensor: Any, part: Part) -> bool:
    """Return whether this part of a tensor's static shape, or its number of axes, is not known."""
    shape = shape_of(tensor)
    if shape is None or part == "rank":
        return shape is None
    return None in (shape if part == "any" else shape[-1:])


def shape_of(tensor: Any) -> tuple[int | None, ...] | None:
    """The static shape of a symbolic tensor, of TensorFlow or Keras; None without a rank."""
    shape = tensor.shape
    if isinstance(shape, tf.TensorShape):
        return None if shape.rank is None else tuple(shape.as_list())
    return tuple(shape) if isinstance(shape, tuple) else None


def is_shaped(value: Any) -> bool:
    """Return whether this is a symbolic tensor, of a living graph or of Keras."""
    if symbolic.is_symbolic(value):
        return symbolic.graph_of(value) is not None
    return packages.is_keras_tensor(value) and hasattr(value, "shape")


def _refuses(frame: Frame, sources: Sources) -> bool:
    """Return whether the frame that raised did so because a shape is not known."""
    module = str(frame.frame.f_globals.get("__name__", "")) + "."
    if not module.startswith(_LIBRARIES):
        return False
    owner = frame.frame.f_locals.get("self")
    if isinstance(owner, tf.TensorShape):
        try:
            return owner.rank is None
        except AttributeError:  # it failed while it was being made
            return False
    tree = sources.defined(frame.frame.f_code.co_filename, frame.frame.f_code.co_firstlineno)
    if tree is None:
        return False
    line = frame.at.line
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and reading.on_line(node, line) and _asks(node.test, frame, tree):
            for inner in (each for statement in node.body for each in ast.walk(statement)):
                if isinstance(inner, ast.Raise) and reading.on_line(inner, line):
                    return True
    return False


def _computes_with_none(exception: BaseException, calls: tuple[Frame, ...]) -> str:
    """True if Keras's own layer computed with a None: "last" for that of an axis, "rank" of a shape, or empty."""
    if not isinstance(exception, (TypeError, AttributeError)) or "NoneType" not in str(exception):
        return ""
    for call in calls:
        if call.user:
            return ""
        if _is_layer_call(call):
            own = packages.is_keras_module(type(call.local("self")).__module__)
            return "rank" if own and any(lost(each, "rank") for each in _held(call)) else ""
        shape = call.local("input_shape")
        if packages.runs(call) and call.function == "build" and isinstance(shape, (tf.TensorShape, tuple, list)):
            if isinstance(shape, tf.TensorShape) and shape.rank is None:
                return "rank"
            dimensions = shape.as_list() if isinstance(shape, tf.TensorShape) else shape
            return "last" if dimensions and dimensions[-1] is None else ""
    return ""


def _is_layer_call(call: Frame) -> bool:
    return (
        call.function == "__call__"
        and packages.runs(call)
        and packages.kind_of(call.local("self")) in ("layer", "model")
    )


def _asks(test: ast.expr, frame: Frame, tree: ast.Module) -> bool:
    """Return whether a condition asks for a None in place of a rank or dimension."""
    for each in test.values if isinstance(test, ast.BoolOp) else [test]:
        if not isinstance(each, ast.Compare) or len(each.ops) != 1:
            continue
        left, right, operator = each.left, each.comparators[0], each.ops[0]
        texts = _texts(left, frame.frame, tree) if isinstance(operator, ast.Is) and _is_none(right) else ()
        if any(_SHAPES.search(text) for text in texts):
            return True
        if isinstance(operator, ast.In) and _is_none(left) and isinstance(right, ast.Name):
            value = frame.frame.f_locals.get(right.id)
            return isinstance(value, (tuple, list)) and any(item is None for item in value)
    return False


def _texts(node: ast.expr, frame: FrameType, tree: ast.Module) -> Iterator[str]:
    """The text of what is asked, and for a name what it was assigned in this function."""
    if not isinstance(node, ast.Name):
        yield ast.unparse(node)
        return
    first = frame.f_code.co_firstlineno
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef) and function.name == frame.f_code.co_name:
            if min([function.lineno, *(each.lineno for each in function.decorator_list)]) != first:
                continue
            for statement in ast.walk(function):
                if isinstance(statement, ast.Assign) and any(
                    isinstance(target, ast.Name) and target.id == node.id for target in statement.targets
                ):
                    yield ast.unparse(statement.value)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _without_rank(calls: tuple[Frame, ...]) -> Iterator[Any]:
    """The tensors of unknown rank, innermost frame first, as far out as the user's code."""
    for call in calls:
        yield from (each for each in _held(call) if lost(each, "rank"))
        if call.user:
            return


def _held(call: Frame) -> list[Any]:
    return [each for value in list(call.frame.f_locals.values()) for each in within(value) if is_shaped(each)]


def within(value: Any, depth: int = 0) -> Iterator[Any]:
    """The value, or what a small list, tuple or dict holds: arguments, and not somebody's data."""
    if not isinstance(value, (list, tuple, dict)):
        yield value
    elif depth < _DEEPEST and len(value) <= _MOST:
        for each in list(value.values() if isinstance(value, dict) else value):
            yield from within(each, depth + 1)


def _layers(calls: tuple[Frame, ...]) -> list[Frame]:
    """The frames of the `__call__` of layers, innermost first, as far out as the user's code."""
    found = []
    for call in calls:
        if call.user:
            break
        if _is_layer_call(call):
            found.append(call)
    return found


def _given(call: Frame) -> list[Any]:
    return [each for each in _held(call) if shape_of(each) is None or len(shape_of(each) or ()) > 1]
