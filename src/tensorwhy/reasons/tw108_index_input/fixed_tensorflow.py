"""Learns a position up to which to read a signal, with a soft edge in place of a comparison."""

import tensorflow as tf

signal = tf.sin(tf.linspace(0.0, 6.0, 50))
position = tf.Variable(12.0, name="position")

with tf.GradientTape() as tape:
    share = tf.sigmoid(position - tf.range(50.0))
    picked = share * signal
    loss = tf.reduce_sum(picked)

gradient = tape.gradient(loss, position)
print("gradient", float(gradient))
assert abs(float(gradient)) > 0.0
