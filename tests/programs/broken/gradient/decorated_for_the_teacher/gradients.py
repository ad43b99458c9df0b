import functools

import tensorflow as tf


def no_grad(function):
    """Whatever the function gives is taken as constant."""

    @functools.wraps(function)
    def wrapped(*args, **kwargs):
        result = function(*args, **kwargs)
        return tf.nest.map_structure(tf.stop_gradient, result)  # why: TW104

    return wrapped
