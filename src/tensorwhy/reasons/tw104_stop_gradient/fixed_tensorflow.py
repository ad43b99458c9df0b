"""Trains a student; whoever wants features held fixed stops the gradient where they are used."""

import tensorflow as tf

student = tf.Variable(tf.random.normal((3, 2)), name="student")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 2))


def features(weights):
    return tf.tanh(batch @ weights)


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(features(student) - wanted))

gradient = tape.gradient(loss, student)
print("gradient", gradient.shape)
assert float(tf.norm(gradient)) > 0.0
