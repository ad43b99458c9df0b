"""A total that begins as a whole number meets numbers with a fraction, in a traced loop."""

import tensorflow as tf


@tf.function
def accumulate(steps):
    total = tf.constant(0)
    for _ in tf.range(steps):
        total = total + tf.random.normal([])  # why: TW701
    return total


accumulate(tf.constant(3))
