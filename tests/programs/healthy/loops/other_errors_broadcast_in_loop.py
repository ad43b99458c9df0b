"""Ends in an ordinary broadcasting error, in a loop of the graph."""

import tensorflow as tf


@tf.function
def accumulate(rows, offset):
    total = tf.zeros([4])
    for index in tf.range(3):
        total += rows[index] + offset
    return total


accumulate(tf.ones([3, 4]), tf.ones([3]))
