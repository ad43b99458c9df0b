"""Distances of words to the first one: their root is taken at zero, and the table becomes NaN."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
table = tf.Variable(tf.random.normal((9, 4)))
words = np.random.default_rng(5).integers(0, 9, size=(6, 3))
optimizer = tf.keras.optimizers.SGD(0.1)


def spread(words):
    found = tf.gather(table, words)
    return tf.reduce_mean(tf.sqrt(tf.reduce_sum(tf.square(found - found[:, :1]), axis=-1)))  # why: TW211


for _ in range(4):
    with tf.GradientTape() as tape:
        loss = -spread(words)
    optimizer.apply_gradients([(tape.gradient(loss, table), table)])
