"""A function with a gradient of its own gets both of its arguments by position."""

import tensorflow as tf


@tf.custom_gradient
def softened(value, width):
    bent = tf.tanh(value / width)

    def slopes(upstream):
        inner = upstream * (1.0 - bent**2)
        return inner / width, -tf.reduce_sum(inner * value) / width**2

    return bent, slopes


width = tf.Variable(2.0)
value = tf.Variable([0.5, 1.5])
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(softened(value, tf.convert_to_tensor(width)))
tape.gradient(loss, [value, width])
