import tensorflow as tf


class Diverged(Exception):
    """Training cannot go on."""


def finite(value, name):
    if tf.reduce_any(tf.math.is_nan(value)):
        raise Diverged(f"{name} is not a number")  # why: TW409
    return value
