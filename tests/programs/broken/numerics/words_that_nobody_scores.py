"""All words of the batch are looked up, and only padding counts: the weights of the table are read by the lookup itself."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(5)
table = tf.Variable(tf.random.normal((9, 4)))
scores = tf.Variable(tf.random.normal((4, 9)))
words = np.random.default_rng(5).integers(1, 9, size=(6, 3))
optimizer = tf.keras.optimizers.SGD(0.1)


def error_of(words):
    logits = tf.gather(table, words) @ scores
    errors = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=words, logits=logits)
    counted = tf.cast(words == 0, tf.float32)  # why: TW204
    return tf.reduce_sum(errors * counted) / (tf.reduce_sum(counted) + 1e-9)


for _ in range(4):
    with tf.GradientTape() as tape:
        error = error_of(words)
    optimizer.apply_gradients(zip(tape.gradient(error, [table, scores]), [table, scores]))
