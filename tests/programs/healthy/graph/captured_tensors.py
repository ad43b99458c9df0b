"""Eager tensors that traced functions capture, also as default arguments and by closure."""

import tensorflow as tf

offset = tf.constant([1.0, 2.0, 3.0])


def scaled_by(factor):
    factor = tf.constant(factor)

    @tf.function
    def scale(x, shift=offset):
        return x * factor + shift

    return scale


@tf.function
def add(x):
    return x + offset


print(add(tf.constant([4.0, 5.0, 6.0])).numpy())
print(scaled_by(2.0)(offset).numpy())
