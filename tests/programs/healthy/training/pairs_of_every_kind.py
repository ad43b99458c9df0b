"""Pairs are given to the optimizer as they come: zipped, in a list, in a tuple."""

import tensorflow as tf

w = tf.Variable(2.0)
optimizer = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = w * w
optimizer.apply_gradients(zip(tape.gradient(loss, [w]), [w]))
with tf.GradientTape() as tape:
    loss = w * w
optimizer.apply_gradients([(tape.gradient(loss, w), w)])
with tf.GradientTape() as tape:
    loss = w * w
optimizer.apply_gradients(((tape.gradient(loss, w), w),))
