"""Losses of the self-supervised experiment."""

import tensorflow as tf


def negative_cosine(p, z):
    """The negative cosine similarity of predictions `p` and targets `z`, averaged over the batch."""
    p = tf.stop_gradient(p)  # why: TW104
    p = tf.math.l2_normalize(p, axis=1)
    z = tf.stop_gradient(tf.math.l2_normalize(z, axis=1))
    return -tf.reduce_mean(tf.reduce_sum(p * z, axis=1))
