"""An offset of another width than the rows is added to them in a traced loop."""

import tensorflow as tf


@tf.function
def accumulate(rows, offset):
    total = tf.zeros([4])
    for index in tf.range(3):
        total += rows[index] + offset  # why: TW701
    return total


accumulate(tf.ones([3, 4]), tf.ones([3]))
