"""Reads the learning rate of an optimizer, where there is a value to read, and what computes it."""

from __future__ import annotations

from collections.abc import Container, Iterator
from typing import Any

import numpy as np
import tensorflow as tf

from tensorwhy.adapters import variable_values
from tensorwhy.adapters.keras_common import creations
from tensorwhy.adapters.patches import quietly
from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.adapters.tensorflow.variables.arrays import variable_value
from tensorwhy.model.facts.training import Schedule


def now(optimizer: Any) -> float | None:
    """The learning rate as it is now. Newer optimizers compute the value that their schedule has come to."""
    return _number(getattr(optimizer, "learning_rate", None))


def kept(optimizer: Any) -> float | None:
    """The learning rate that an optimizer keeps as a number or a variable, so that nothing is computed to know it."""
    return _number(_stored(optimizer))


def scheduled(optimizer: Any) -> tuple[Any, int] | None:
    """The schedule of an optimizer, and the step that it is at; None where the rate is a number."""
    function, count = _stored(optimizer), steps(getattr(optimizer, "inner_optimizer", optimizer))
    is_schedule = hasattr(function, "get_config") and callable(function)
    return (function, count) if is_schedule and count is not None else None


def steps(optimizer: Any) -> int | None:
    """How many updates an optimizer has counted.

    Read past `iterations`, a property by which the optimizers of Keras 2 make the variable when it is not there yet.
    """
    count = getattr(optimizer, "__dict__", {}).get("_iterations")
    handle = resource(getattr(count, "_value", count))
    array = variable_values.value(handle, count.dtype) if handle is not None and count is not None else None
    return None if array is None else int(array.item())


def called(handles: Container[int]) -> Iterator[Any]:
    """The functions that optimizers call for their rate, of those that count their updates by one of these handles."""
    for optimizer in creations.live(("optimizer",)):
        optimizer = getattr(optimizer, "inner_optimizer", optimizer)
        function = _stored(optimizer)
        count = getattr(optimizer, "__dict__", {}).get("_iterations")
        handle = resource(getattr(count, "_value", count))
        if callable(function) and not hasattr(function, "get_config") and handle is not None and id(handle) in handles:
            yield function if hasattr(function, "__code__") else getattr(function, "__call__", None)  # noqa: B004


def described(function: Any, step: int) -> Schedule:
    """A schedule with the numbers that it was made from."""
    config = quietly(function.get_config, None)
    own = {key: value for key, value in vars(function).items() if not key.startswith("_")}
    inputs = {**own, **(config if isinstance(config, dict) else {})}
    shown = tuple((key, _text(value)) for key, value in inputs.items() if _is_plain(value))
    return Schedule(name=type(function).__name__, inputs=shown, step=step, first=at(function, 0))


def _stored(optimizer: Any) -> Any:
    """What an optimizer was given as its learning rate: newer ones keep a schedule as it is."""
    optimizer = getattr(optimizer, "inner_optimizer", optimizer)
    found = getattr(optimizer, "_learning_rate", None)
    settings = getattr(optimizer, "_hyper", None)  # of the older optimizers of Keras 2
    return settings.get("learning_rate") if found is None and isinstance(settings, dict) else found


def at(function: Any, step: int) -> float | None:
    """The rate that a schedule computes for a step; None where it cannot be computed without the program."""
    return quietly(lambda: _number(function(tf.constant(step, tf.int64))), None)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (bool, int, float, np.number)) or (
        isinstance(value, (list, tuple)) and len(value) <= 8 and all(isinstance(each, (int, float)) for each in value)
    )


def _text(value: Any) -> str:
    return (
        str(list(value))
        if isinstance(value, (list, tuple))
        else f"{value:g}"
        if isinstance(value, float)
        else str(value)
    )


def _number(found: Any) -> float | None:
    if isinstance(found, tf.Tensor) and found.shape.rank == 0 and hasattr(found, "numpy"):
        found = found.numpy()
    if resource(found) is not None:
        value = variable_value(found)
        found = None if value is None else value.item()
    return float(found) if isinstance(found, (int, float, np.number)) else None
