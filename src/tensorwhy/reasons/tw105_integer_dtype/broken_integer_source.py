"""Searches the minimum of a parabola from a start value that is a whole number."""

import tensorflow as tf

start = tf.Variable(3, name="start")  # why: TW105

with tf.GradientTape() as tape:
    value = tf.square(tf.cast(start, tf.float32) - 1.0)

print("gradient", tape.gradient(value, start))
