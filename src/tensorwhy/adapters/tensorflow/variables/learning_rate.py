"""Reads the learning rate of an optimizer, where there is a value to read."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tensorwhy.adapters.tensorflow.tensor_ids import resource
from tensorwhy.adapters.tensorflow.variables.glances import variable_value


def now(optimizer: Any) -> float | None:
    """The learning rate as it is now; None when that is not known (a schedule as such, a variable of another graph).

    Newer optimizers compute the value that their schedule has come to.
    """
    return _number(getattr(optimizer, "learning_rate", None))


def kept(optimizer: Any) -> float | None:
    """The learning rate that an optimizer keeps as a number or a variable, so that nothing is computed to know it."""
    found = getattr(optimizer, "_learning_rate", None)
    if found is None:
        settings = getattr(optimizer, "_hyper", None)  # of the older optimizers of Keras 2
        found = settings.get("learning_rate") if isinstance(settings, dict) else None
    return _number(found)


def _number(found: Any) -> float | None:
    if isinstance(found, tf.Tensor) and found.shape.rank == 0 and hasattr(found, "numpy"):
        found = found.numpy()
    if resource(found) is not None:
        value = variable_value(found)
        found = None if value is None else value.item()
    return float(found) if isinstance(found, (int, float, np.number)) else None
