# Two layers that gather rows, with and without index validation: both gradients are None, and gathering is not why.
import numpy as np
import tensorflow as tf


class PickRows(tf.keras.layers.Layer):
    def __init__(self, validate, **kwargs):
        super().__init__(**kwargs)
        self.validate = validate

    def call(self, inputs):
        return tf.gather(inputs, tf.constant([0, 2]), validate_indices=self.validate)


checked, unchecked = PickRows(True), PickRows(False)
table = tf.constant(np.random.rand(5, 10), tf.float32)  # why: TW101
other = tf.constant(np.random.rand(5, 10), tf.float32)  # why: TW101
picked = checked(table)  # why: TW102
picked_unchecked = unchecked(other)  # why: TW102

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(picked)
print("with validation:", tape.gradient(loss, table))

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(picked_unchecked)
print("without validation:", tape.gradient(loss, other))
