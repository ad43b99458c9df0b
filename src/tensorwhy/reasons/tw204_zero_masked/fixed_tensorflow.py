"""Scores of a word at each position; the mask drops label 9, which is padding."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(3)
features = tf.constant(rng.normal(size=(12, 5)), tf.float32)
labels = tf.constant(rng.integers(0, 4, size=12))
dense = tf.keras.layers.Dense(4, name="scores")
dense.build((None, 5))
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(5):
    with tf.GradientTape() as tape:
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=dense(features))
        keep = tf.cast(labels != 9, tf.float32)
        loss = tf.reduce_sum(losses * keep) / (tf.reduce_sum(keep) + 1e-9)
    grads = tape.gradient(loss, dense.trainable_variables)
    optimizer.apply_gradients(zip(grads, dense.trainable_variables))
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
assert all(float(tf.norm(grad)) > 0 for grad in grads)
