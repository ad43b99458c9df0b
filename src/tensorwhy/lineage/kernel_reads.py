"""The values of variables that an operation was given as they are: its kernel's caller reads them, out of sight.

TensorFlow's fast path reads such variables itself, in the order of the inputs, before it executes the operation. What
it read is seen only later, where a gradient is computed with it. Tensors are numbered as they are made, so that these
have the numbers right before that of the first output.
"""

from __future__ import annotations

from collections.abc import Iterator

from tensorwhy.recording import journal as j
from tensorwhy.recording.journal import Event

MOST = 8
"""More variables than that no operation is given."""


def tensor_of(value: int) -> int:
    """The tensor that an input of an event is; of a variable that was given as it is, its handle."""
    handle = j.variable_handle(value)
    return value if handle is None else handle


def inputs_of(event: Event) -> list[int]:
    """The inputs of an event as tensors (see `tensor_of`)."""
    return [tensor_of(value) for value in event.inputs]


def kernel_reads(event: Event) -> Iterator[tuple[int, int]]:
    """Each value that was read so with the handle of its variable; nothing where other numbers may stand in between."""
    handles = [handle for value in event.inputs if (handle := j.variable_handle(value)) is not None]
    if event.kind != j.OP or not event.outputs or not 0 < len(handles) <= MOST:
        return
    if len(handles) + sum(value > 0 for value in event.inputs) == len(event.inputs):  # nothing was converted on the way
        yield from enumerate(handles, event.outputs[0] - len(handles))
