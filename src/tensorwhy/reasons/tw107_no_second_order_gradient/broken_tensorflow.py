"""The curvature of a network that forgot its activation: a linear function has none."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 1)), name="kernel")
points = tf.random.normal((8, 3))

with tf.GradientTape() as outer:
    outer.watch(points)
    with tf.GradientTape() as inner:
        inner.watch(points)
        values = points @ kernel  # why: TW107
    slope = inner.gradient(values, points)

print("curvature", outer.gradient(slope, points))
