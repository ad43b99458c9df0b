"""Operations of every kind inside random programs: the recipes of the op tests, with one input tied to a tensor."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from support.operations.calls import arguments_of, callable_ops
from tensorwhy.adapters.tensorflow.gradients import tables

# Random ops change from run to run, and these fail on the values that a program may bring.
_LEFT_OUT = frozenset({"PreventGradient", "CheckNumerics", "CheckNumericsV2", "CTCLoss", "Print", "EnsureShape"})


def raw_ops() -> list[tuple[str, int]]:
    """The ops that random programs may call, with the number of their float inputs."""
    found = []
    for name in sorted(callable_ops() - _LEFT_OUT):
        if tables.differentiability(name) == "unregistered":
            continue
        count = len(_float_inputs(arguments_of(name)))
        try:
            _total(getattr(tf.raw_ops, name)(**arguments_of(name)))
        except tf.errors.NotFoundError:
            continue  # no kernel for the CPU
        if count:
            found.append((name, count))
    return found


@tf.autograph.experimental.do_not_convert
def raw(name: str, index: int, x: Any) -> tf.Tensor:
    """Call an op with valid arguments, of which float input number `index` depends on `x`."""
    arguments = arguments_of(name)
    key, at = _float_inputs(arguments)[index]
    tie = tf.reduce_sum(x) * 0.0
    value = arguments[key] if at is None else arguments[key][at]
    tied = value + tf.cast(tie, value.dtype)
    if at is None:
        arguments[key] = tied
    else:
        arguments[key] = [tied if i == at else one for i, one in enumerate(arguments[key])]
    return _total(getattr(tf.raw_ops, name)(**arguments)) + tf.zeros([3])


def _float_inputs(arguments: dict[str, Any]) -> list[tuple[str, int | None]]:
    found: list[tuple[str, int | None]] = []
    for key, value in arguments.items():
        for at, one in enumerate(value if isinstance(value, list) else [value]):
            if tf.is_tensor(one) and (one.dtype.is_floating or one.dtype.is_complex):
                found.append((key, at if isinstance(value, list) else None))
    return found


def _total(outputs: Any) -> tf.Tensor:
    """The sum of all float outputs: one number that depends on each of them."""
    parts = [tf.reduce_sum(tf.cast(one, tf.float32)) for one in tf.nest.flatten(outputs) if one.dtype != tf.string]
    return tf.math.tanh(tf.add_n(parts))
