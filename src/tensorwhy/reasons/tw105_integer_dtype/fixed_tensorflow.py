"""Computes the loss from the prices themselves; the cents are only for people."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 1)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))

with tf.GradientTape() as tape:
    prices = batch @ kernel
    loss = tf.reduce_mean(tf.square(prices - wanted))

cents = tf.cast(prices * 100.0, tf.int32)
gradient = tape.gradient(loss, kernel)
print("first price in cents", int(cents[0, 0]), "gradient", gradient.shape)
assert float(tf.norm(gradient)) > 0.0
