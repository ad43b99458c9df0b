"""Pairs of a gradient and a variable of different shapes: the gradient is not that variable's."""

from __future__ import annotations

from typing import Any

import msgspec
import tensorflow as tf

from tensorwhy.adapters.tensorflow.tensor_ids import handle_of


class Misfit(msgspec.Struct, frozen=True, kw_only=True):
    """A gradient's id and shape, and the handle of the variable that it was given for.

    `broadcasts` says that an optimizer can compute with the two all the same, and some do.
    """

    gradient: int
    variable: int
    shape: tuple[int | None, ...]
    broadcasts: bool


def among(pairs: Any) -> tuple[Misfit, ...]:
    """The pairs whose shapes, as far as they are known, can not be those of a variable and its gradient."""
    return tuple(found for gradient, variable in pairs if (found := _misfit(gradient, variable)) is not None)


def _misfit(gradient: Any, variable: Any) -> Misfit | None:
    key, handle = getattr(gradient, "_id", None), handle_of(variable)
    if type(key) is not int or handle < 0:
        return None  # rows of a table, a None, an array, or what is no variable
    if hasattr(gradient, "_datatype_enum") and gradient.shape == variable.shape:
        return None
    shape, wanted = tf.TensorShape(gradient.shape), tf.TensorShape(variable.shape)
    if shape.is_compatible_with(wanted):
        return None
    return Misfit(gradient=key, variable=handle, shape=tuple(shape.as_list()), broadcasts=_broadcasts(shape, wanted))


def _broadcasts(shape: tf.TensorShape, wanted: tf.TensorShape) -> bool:
    try:
        return bool(tf.broadcast_static_shape(shape, wanted).is_compatible_with(wanted))
    except ValueError:
        return False
