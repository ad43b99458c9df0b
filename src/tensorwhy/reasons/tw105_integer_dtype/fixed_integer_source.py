"""Searches the minimum of a parabola from a start value in floating point."""

import tensorflow as tf

start = tf.Variable(3.0, name="start")

with tf.GradientTape() as tape:
    value = tf.square(start - 1.0)

gradient = tape.gradient(value, start)
print("gradient", float(gradient))
assert float(gradient) == 4.0
