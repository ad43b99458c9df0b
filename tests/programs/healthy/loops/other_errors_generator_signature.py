"""Ends in a generator that breaks its own promise: a matter of tf.data."""

import tensorflow as tf


def rows():
    yield [1, 2]
    yield [1, 2, 3]


data = tf.data.Dataset.from_generator(rows, output_signature=tf.TensorSpec([2], tf.int32))
print(len(list(data)))
