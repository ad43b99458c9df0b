"""Smooths predictions with TensorFlow's own functions, inside the loss."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 5)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 5))


def smoothed(rows):
    return (rows + tf.roll(rows, 1, axis=1)) / 2.0


with tf.GradientTape() as tape:
    predicted = batch @ kernel
    smooth = smoothed(predicted)
    loss = tf.reduce_mean(tf.square(smooth - wanted))

gradient = tape.gradient(loss, kernel)
print("gradient", gradient.shape)
assert float(tf.norm(gradient)) > 0.0
