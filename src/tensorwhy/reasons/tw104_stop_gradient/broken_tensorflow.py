"""Holds a teacher's features fixed while a student learns; then the same function is used to train the student."""

import tensorflow as tf

student = tf.Variable(tf.random.normal((3, 2)), name="student")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 2))


def features(weights):
    hidden = tf.tanh(batch @ weights)
    return tf.stop_gradient(hidden)  # why: TW104


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(tf.square(features(student) - wanted))

print("gradient", tape.gradient(loss, student))
