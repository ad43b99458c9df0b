"""Hands the optimizer the gradient of an embedding and a None, without their variables."""

import tensorflow as tf

table = tf.Variable(tf.ones((3, 2)))
bias = tf.Variable(1.0)  # why: TW115
optimizer = tf.keras.optimizers.SGD(1e-2)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.gather(table, [0, 1]))
gradients = tape.gradient(loss, [table, bias])
optimizer.apply_gradients(gradients)  # why: TW121
