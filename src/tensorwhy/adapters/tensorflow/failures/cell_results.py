"""A recurrent cell that does not give Keras two things, the output and the new states.

Keras takes the result apart in a line of its own. A tensor of a graph refuses that, None and other numbers of things,
too; but a tensor of two rows is taken apart into its rows, and the next step gets one of them for its state.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tensorwhy.adapters.stack import Stack
from tensorwhy.adapters.tensorflow.failures import signatures

_SCAN = "keras/src/backend/tensorflow/core.py"
_ITERATING = ("framework/ops.py", "framework/tensor.py")


class Unpacked(msgspec.Struct, frozen=True):
    """The frame of Keras's loop, and the result where it is a tensor; `rows` says that it was cut into its rows."""

    index: int
    tensor: Any = None
    rows: bool = False


def unpacked(way: Stack) -> Unpacked | None:
    """The step of a recurrent layer that could not take the cell's result apart, or did so by rows."""
    found = way.first("rnn")
    if found is None or not found[1].local("step_function"):
        return None
    index, loop = found
    step = next((each for each in way.find("step") if each[0] > index), None)
    if step is None:
        return None
    if step[1].local("new_state") is not None:  # Keras 2 compares them itself
        row = _is_row([step[1].local("state")], [step[1].local("new_state")])
        return Unpacked(index, rows=True) if row else None
    below = way.frames[step[0] + 1 :]
    if way.below(step[0]):
        return Unpacked(index, rows=True) if _is_row(loop.local("initial_states"), step[1].local("states")) else None
    done = {"output", "new_states"} & set(step[1].frame.f_locals)
    if done or any(not each.file.endswith(_ITERATING) for each in below):
        return None
    tensors = [each.local("self") for each in below if each.name.startswith("iter")]
    return Unpacked(index, tensors[0] if tensors else None)


def scanned(way: Stack) -> bool:
    """Return whether `keras.ops.scan` could not take the result of its function apart, carry and output."""
    found, body = way.first("scan", _SCAN), way.first("loop_body", _SCAN)
    if found is None or body is None or body[0] < found[0] or way.below(body[0]):
        return False
    done = {"carry", "ys"} & set(body[1].frame.f_locals)
    inside = way.frames[body[0] + 1 :]
    return not done and all(each.file.endswith(_ITERATING) for each in inside)


def _is_row(initial: Any, states: Any) -> bool:
    """Return whether the state has the shape of one row of the state that two examples began with."""
    before, now = (each[0] if isinstance(each, (list, tuple)) and each else None for each in (initial, states))
    shape, row = signatures.shape_of(before), signatures.shape_of(now)
    return shape is not None and shape[:1] == (2,) and row == shape[1:]
