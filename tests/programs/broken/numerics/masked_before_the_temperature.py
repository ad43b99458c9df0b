"""Scores are masked before they are divided by a learned temperature, which gets infinity times a gradient of zero."""

import tensorflow as tf

tf.random.set_seed(0)
temperature = tf.Variable(0.5)
keys = tf.Variable(tf.random.normal((4, 6)))
valid = tf.constant([True, True, False, True, True, False])
labels = tf.zeros(8, tf.int32)


def scaled(scores):
    return scores / temperature  # why: TW211


for _ in range(3):
    x = tf.random.normal((8, 4))
    with tf.GradientTape() as tape:
        scores = tf.where(valid, x @ keys, -float("inf"))
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, scaled(scores)))
    for variable, gradient in zip((temperature, keys), tape.gradient(loss, (temperature, keys))):
        variable.assign_sub(0.1 * gradient)
