"""What an operation gives when a gate in it is open: the one general way to undo a gradient of zero.

Whatever closes a gate, there is another result that has a slope: the input itself, or what comes of other numbers at
another input. Put in the place of the old one, it changes the values of the step too. Where these are to stay, the old
result gets the slope of the other one, as in a straight-through estimator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from tensorflow.python.ops import array_ops, math_ops

from tensorwhy.model.facts.gate import Gate


class Impossible(Exception):
    """The step cannot be executed again in this way; the message says why, for the report."""


def result(gate: Gate, made: Any, given: Sequence[Any], again: Callable[[list[Any]], Any], keep: bool) -> Any:
    """`made` is what the operation gives, `again` executes it on other inputs; `keep`: the value stays."""
    if gate.way == "past":
        if np.size(given[gate.position]) != np.size(made) or not made.dtype.is_floating:
            raise Impossible("the input and the output of the operation differ in shape or dtype")
        other = _through(made, given[gate.position])
        return array_ops.stop_gradient(made) + (other - array_ops.stop_gradient(other))
    if gate.way == "through":
        other = _through(made, given[gate.position] if gate.position >= 0 else _first(made, given))
    else:
        replaced = array_ops.ones_like(given[gate.position]) if gate.way == "ones" else numbers(given[gate.position])
        other = again([replaced if at == gate.position else each for at, each in enumerate(given)])
    return made + (other - array_ops.stop_gradient(other)) if keep else other


def numbers(like: Any) -> Any:
    """Made-up numbers, the same ones each time, in place of a tensor; of an array or a number, an array."""
    drawn = np.random.default_rng(0).standard_normal(np.shape(like))
    if hasattr(like, "_datatype_enum"):
        return math_ops.cast(drawn, like.dtype)
    return drawn.astype(np.result_type(like))


def _through(made: Any, value: Any) -> Any:
    value = math_ops.cast(value, made.dtype)
    if np.size(value) == np.size(made):
        return array_ops.reshape(value, made.shape)
    return value + array_ops.zeros_like(made)  # as the operation itself broadcasts


def _first(made: Any, given: Sequence[Any]) -> Any:
    """The input that goes on: as large as the result, and no constant zero."""
    sized = [each for each in given if np.size(each) == np.size(made)]
    return next((each for each in sized if np.any(np.asarray(each))), given[0])
