"""Two encoders, each with a name of its own."""

import tensorflow as tf


def make():
    return tf.Variable(tf.random.normal((3, 2)), name="kernel")


batch = tf.random.normal((8, 3))
images = make()


def loss_of(weights=images):
    return tf.reduce_mean(tf.square(batch @ weights))


texts = make()

with tf.GradientTape() as tape:
    loss = loss_of()

gradient = tape.gradient(loss, images)
print("gradient", gradient.shape)
assert float(tf.norm(gradient)) > 0.0
