"""Gradient descent by hand: `weight` stays one and the same variable."""

import tensorflow as tf

x, y = tf.constant([1.0, 2.0, 3.0]), tf.constant([2.0, 4.0, 6.0])
weight = tf.Variable(0.5, name="weight")

for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(weight * x - y))
    gradient = tape.gradient(loss, weight)
    weight.assign_sub(0.05 * gradient)
    print(step, float(loss))

assert abs(float(weight) - 2.0) < 0.5
