"""Hands the optimizer one pair, and no list of it."""

import tensorflow as tf

w = tf.Variable([2.0, 1.0])
optimizer = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = tf.reduce_sum(w * w)
g = tape.gradient(loss, w)
optimizer.apply_gradients((g, w))  # why: TW121
