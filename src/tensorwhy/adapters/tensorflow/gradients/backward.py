"""For which inputs the gradient of a traced function is None: TensorFlow has worked it out when it records the call."""

from __future__ import annotations

from types import FunctionType
from typing import Any


def none_inputs(backward: Any) -> tuple[int, ...] | None:
    """The inputs that get None from the backward function of a call; None for any other backward function.

    The wrapper that is recorded with a call closes over `backward`, a concrete function whose structured outputs are
    the gradients of the inputs, in order, None where an input reaches no output.
    """
    if not isinstance(backward, FunctionType) or "backward" not in backward.__code__.co_freevars:
        return None
    cell = (backward.__closure__ or ())[backward.__code__.co_freevars.index("backward")]
    outputs = getattr(cell.cell_contents, "structured_outputs", None)
    if not isinstance(outputs, (list, tuple)):
        return None
    return tuple(i for i, gradient in enumerate(outputs) if gradient is None)
