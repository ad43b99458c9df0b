"""Finds the user's own call of a loop function of TensorFlow among the frames of a failure."""

from __future__ import annotations

from typing import Any

import msgspec

from tensorwhy.adapters.stack import Frame, Stack
from tensorwhy.model.facts.loops import LoopShapeChange, LoopStructureChange

_PUBLIC = {
    "while_loop": ("ops/while_loop.py", "ops/control_flow_ops.py"),
    "scan": ("ops/functional_ops.py",),
    "foldl": ("ops/functional_ops.py",),
    "foldr": ("ops/functional_ops.py",),
}
# The loops of Keras 3 come down to TensorFlow's, without a way to declare shapes; the function that each is given.
_BODIES = {"while_loop": "body", "fori_loop": "body_fun"}
_OF_KERAS = ("keras/src/ops/core.py", "keras/src/backend/tensorflow/core.py")


def called(way: Stack) -> tuple[str, int, Frame] | None:
    """The innermost loop function that the user's code called itself, not through another part of TensorFlow."""
    for index in range(len(way.frames) - 1, -1, -1):
        step = way.frames[index]
        if step.user:
            continue
        for name, files in _PUBLIC.items():
            if step.name == name and step.file.endswith(files) and not _inner(way, index):
                return name, index, step
    return None


_TRANSPARENT = ("util/deprecation.py", "util/dispatch.py", "util/traceback_utils.py", "autograph/impl/api.py")


def _inner(way: Stack, index: int) -> bool:
    """Return whether TensorFlow or Keras itself made this call: a `map_fn`, an RNN layer, another loop."""
    for step in reversed(way.frames[:index]):
        if step.user:
            return False
        if (
            not step.file.endswith(_TRANSPARENT)
            and not _of_keras(step)
            and not any(
                step.name.removesuffix("_v2") == name and step.file.endswith(files)
                for name, files in _PUBLIC.items()
                if name == way.frames[index].name
            )
        ):
            return True
    return True


def _of_keras(step: Frame) -> bool:
    return step.name in _BODIES and step.file.endswith(_OF_KERAS)


def _keras(way: Stack, index: int) -> Frame | None:
    """The frame of Keras's loop function through which the user reached TensorFlow's."""
    found = None
    for step in reversed(way.frames[:index]):
        if step.user:
            break
        found = step if _of_keras(step) else found
    return found


def given(way: Stack, index: int, parameter: str) -> Any:
    """The function that the user's call was given: Keras wraps it in one of its own."""
    outer = _keras(way, index)
    return way.frames[index].local(parameter) if outer is None else outer.local(_BODIES[outer.name])


def as_called(
    fact: LoopShapeChange | LoopStructureChange, way: Stack, index: int
) -> LoopShapeChange | LoopStructureChange:
    """The loop under the name that the user called; that of Keras takes no declaration."""
    outer = _keras(way, index)
    if outer is None:
        return fact
    fact = msgspec.structs.replace(fact, construct=f"keras.ops.{outer.name}")
    return msgspec.structs.replace(fact, declaration="") if isinstance(fact, LoopShapeChange) else fact
