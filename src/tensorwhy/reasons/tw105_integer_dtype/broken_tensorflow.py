"""Counts money in whole cents inside the loss: whole numbers have no gradient."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 1)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))

with tf.GradientTape() as tape:
    prices = batch @ kernel
    cents = tf.cast(prices * 100.0, tf.int32)  # why: TW105
    loss = tf.reduce_mean(tf.square(tf.cast(cents, tf.float32) / 100.0 - wanted))

print("gradient", tape.gradient(loss, kernel))
