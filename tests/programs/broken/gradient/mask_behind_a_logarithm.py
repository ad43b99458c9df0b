"""A logarithm of zero is masked out behind it: its gradient is 0 times infinity, which is NaN."""

import tensorflow as tf

shares = tf.Variable([0.0, 1.0, 2.0], name="shares")


def logarithm(values):
    return tf.where(values > 0, tf.math.log(values), tf.zeros_like(values))  # why: TW211


with tf.GradientTape() as tape:
    entropy = -tf.reduce_sum(shares * logarithm(shares))
print(tape.gradient(entropy, shares).numpy())
