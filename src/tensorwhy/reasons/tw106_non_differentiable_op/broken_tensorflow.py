"""Rounds prices to whole steps inside the loss: the gradient of rounding is None."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 1)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))

with tf.GradientTape() as tape:
    prices = batch @ kernel
    steps = tf.round(prices * 4.0) / 4.0  # why: TW106
    loss = tf.reduce_mean(tf.square(steps - wanted))

print("gradient", tape.gradient(loss, kernel))
