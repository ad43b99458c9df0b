"""Learns a position at which to read from a signal: the position is only an index."""

import tensorflow as tf

signal = tf.sin(tf.linspace(0.0, 6.0, 50))
position = tf.Variable(12.0, name="position")

with tf.GradientTape() as tape:
    above = position > tf.range(50.0)
    picked = tf.where(above, signal, tf.zeros_like(signal))  # why: TW108
    loss = tf.reduce_sum(picked)

print("gradient", tape.gradient(loss, position))
