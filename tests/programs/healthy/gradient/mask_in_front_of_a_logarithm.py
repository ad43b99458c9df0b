"""A logarithm of zero is masked out in front of it, too."""

import tensorflow as tf

shares = tf.Variable([0.0, 1.0, 2.0], name="shares")


def logarithm(values):
    safe = tf.where(values > 0, values, tf.ones_like(values))
    return tf.where(values > 0, tf.math.log(safe), tf.zeros_like(values))


with tf.GradientTape() as tape:
    entropy = -tf.reduce_sum(shares * logarithm(shares))
print(tape.gradient(entropy, shares).numpy())
