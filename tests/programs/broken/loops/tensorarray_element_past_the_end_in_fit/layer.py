import tensorflow as tf
from tensorflow import keras


class Cumulative(keras.layers.Layer):
    """The sum of all steps so far."""

    def call(self, inputs):
        steps = tf.shape(inputs)[1]
        sums = tf.TensorArray(inputs.dtype, size=steps - 1)  # why: TW506
        total = tf.zeros_like(inputs[:, 0])
        for step in tf.range(steps):
            total += inputs[:, step]
            sums = sums.write(step, total)
        return tf.transpose(sums.stack(), [1, 0, 2])
