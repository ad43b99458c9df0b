"""Ends in a mix of dtypes that fails in any place, not because of the loop."""

import tensorflow as tf


@tf.function
def accumulate(steps):
    total = tf.constant(0)
    for _ in tf.range(steps):
        total = total + tf.random.normal([])
    return total


accumulate(tf.constant(3))
