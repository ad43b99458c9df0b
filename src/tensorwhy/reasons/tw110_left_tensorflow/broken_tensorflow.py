"""Weighs rewards by probabilities that NumPy computes from a variable."""

import numpy as np
import tensorflow as tf

logits = tf.Variable([0.2, 1.0, -0.5], name="logits")
rewards = tf.constant([1.0, 0.0, 2.0])

with tf.GradientTape() as tape:
    values = logits.numpy()  # why: TW110
    probabilities = np.exp(values) / np.exp(values).sum()
    loss = -tf.reduce_sum(tf.constant(probabilities) * rewards)

print("gradient", tape.gradient(loss, logits))
