"""Gradient descent by hand: after the first step `weight` is no longer a variable."""

import tensorflow as tf

x, y = tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 4.0, 6.0])
weight = tf.Variable(0.5, name="weight")

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(weight * x - y))
    gradient = tape.gradient(loss, weight)
    weight = weight - 0.05 * gradient  # why: TW112
    print(step, float(loss))
