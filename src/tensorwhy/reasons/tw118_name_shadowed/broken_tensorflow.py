"""Two encoders under one name: the second takes the name of the first, which the loss was built on."""

import tensorflow as tf


def make():
    return tf.Variable(tf.random.normal((3, 2)), name="kernel")


batch = tf.random.normal((8, 3))
encoder = make()


def loss_of(weights=encoder):
    return tf.reduce_mean(tf.square(batch @ weights))


encoder = make()  # why: TW118

with tf.GradientTape() as tape:
    loss = loss_of()

print("gradient", tape.gradient(loss, encoder))
