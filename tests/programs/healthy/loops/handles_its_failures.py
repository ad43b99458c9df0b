"""Tries the quick way first, and falls back: each failure here is caught and meant."""

import tensorflow as tf


def ranges(lengths):
    try:
        return tf.map_fn(tf.range, lengths)
    except (ValueError, tf.errors.InvalidArgumentError):
        return tf.ragged.range(lengths)


def stacked(array):
    try:
        return array[0]
    except TypeError:
        return array.stack()


@tf.function
def growing(steps):
    x = tf.zeros([1])
    for _ in tf.range(steps):
        x = tf.concat([x, [1.0]], axis=0)
    return x


print(ranges(tf.constant([2, 1])).to_list())
print(stacked(tf.TensorArray(tf.float32, size=1).unstack([3.0])).numpy().tolist())
try:
    growing(tf.constant(3))
except ValueError as error:
    print(type(error).__name__)
