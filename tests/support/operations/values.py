"""Small valid inputs of operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import tensorflow as tf

Recipe = Callable[[], dict[str, Any]]
"""Makes the arguments of a call."""


def f(*shape: int, value: float = 0.4) -> tf.Tensor:
    """A float tensor whose entries differ a little."""
    count = 1
    for size in shape:
        count *= size
    return tf.reshape(value + 0.01 * tf.range(count, dtype=tf.float32), shape)


def c(*shape: int) -> tf.Tensor:
    return tf.complex(f(*shape), f(*shape, value=0.2))


def i(*values: Any) -> tf.Tensor:
    return tf.constant(values[0] if len(values) == 1 else list(values), tf.int32)


def long(*values: Any) -> tf.Tensor:
    return tf.constant(values[0] if len(values) == 1 else list(values), tf.int64)


def square(size: int = 2) -> tf.Tensor:
    """A symmetric positive definite matrix."""
    return tf.linalg.diag(tf.range(2.0, 2.0 + size)) + 0.1
