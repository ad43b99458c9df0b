"""The curvature of a network with an activation."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 1)), name="kernel")
points = tf.random.normal((8, 3))

with tf.GradientTape() as outer:
    outer.watch(points)
    with tf.GradientTape() as inner:
        inner.watch(points)
        values = tf.tanh(points @ kernel)
    slope = inner.gradient(values, points)

curvature = outer.gradient(slope, points)
print("curvature", curvature.shape)
assert float(tf.norm(curvature)) > 0.0
