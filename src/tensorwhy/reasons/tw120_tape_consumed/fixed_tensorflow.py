"""Asks one tape for the gradients of two losses, one after the other: a persistent tape answers as often as asked."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 1)), name="kernel")
scale = tf.Variable(0.5, name="scale")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 1))

with tf.GradientTape(persistent=True) as tape:
    predicted = scale * tf.tanh(batch @ kernel)
    error = tf.reduce_mean(tf.square(predicted - wanted))
    size = tf.square(scale)

error_gradient = tape.gradient(error, kernel)
size_gradient = tape.gradient(size, scale)
del tape
print(error_gradient.shape, float(size_gradient))
assert float(tf.norm(error_gradient)) > 0.0 and float(size_gradient) == 1.0
