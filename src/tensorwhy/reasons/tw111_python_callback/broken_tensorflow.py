"""Smooths predictions with a function of NumPy, inside the loss."""

import numpy as np
import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 5)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 5))


def smoothed(rows):
    return (rows + np.roll(rows, 1, axis=1)) / 2.0


with tf.GradientTape() as tape:
    predicted = batch @ kernel
    smooth = tf.numpy_function(smoothed, [predicted], tf.float32)  # why: TW111
    loss = tf.reduce_mean(tf.square(smooth - wanted))

print("gradient", tape.gradient(loss, kernel))
