"""Positional features for sentences of different length."""

import tensorflow as tf


def positions_of(length):
    """0, 1, ... for the tokens of one sentence."""
    return tf.range(length, dtype=tf.int32)


class PositionFeatures(tf.keras.layers.Layer):
    """The mean position of each sentence's tokens, as one feature."""

    def call(self, lengths):
        flat = tf.reshape(lengths, [-1])
        positions = tf.map_fn(positions_of, flat)  # why: TW502
        return tf.reduce_mean(tf.cast(positions, tf.float32), axis=1, keepdims=True)
