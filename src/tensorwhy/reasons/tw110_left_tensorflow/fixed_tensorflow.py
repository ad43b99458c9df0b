"""Weighs rewards by probabilities that TensorFlow computes from a variable."""

import tensorflow as tf

logits = tf.Variable([0.2, 1.0, -0.5], name="logits")
rewards = tf.constant([1.0, 0.0, 2.0])

with tf.GradientTape() as tape:
    probabilities = tf.exp(logits) / tf.reduce_sum(tf.exp(logits))
    loss = -tf.reduce_sum(probabilities * rewards)

gradient = tape.gradient(loss, logits)
print("gradient", gradient.numpy())
assert float(tf.norm(gradient)) > 0.0
