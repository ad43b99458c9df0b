"""Sentences are passed to the step as they are, each with another length."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
table = tf.Variable(tf.random.normal([50, 8]))
scores = tf.Variable(tf.random.normal([8, 1]))
optimizer = tf.keras.optimizers.SGD(0.1)


@tf.function
def step(tokens, label):
    with tf.GradientTape() as tape:
        words = tf.gather(table, tokens)
        for _ in range(12):
            words = words + 0.1 * tf.tanh(words - tf.reduce_mean(words, axis=0))
        loss = tf.reduce_mean(tf.square(words @ scores - label))
    gradients = tape.gradient(loss, [table, scores])
    optimizer.apply_gradients(zip(gradients, [table, scores]))
    return loss


for length in rng.permutation(np.arange(3, 43)):
    loss = step(tf.constant(rng.integers(0, 50, length)), tf.constant(1.0))  # why: TW410
print(float(loss))
