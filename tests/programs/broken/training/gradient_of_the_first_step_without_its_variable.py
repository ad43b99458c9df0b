"""The first gradient of all goes to the optimizer in one expression, without its variable."""

import tensorflow as tf

w = tf.Variable(2.0)
optimizer = tf.keras.optimizers.SGD(0.1)
with tf.GradientTape() as tape:
    loss = w * w
optimizer.apply_gradients(tape.gradient(loss, w))  # why: TW121
