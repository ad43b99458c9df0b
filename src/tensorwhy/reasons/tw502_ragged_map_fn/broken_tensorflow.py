"""Positions of every token of a batch of sentences, from the sentences' lengths."""

import tensorflow as tf


class Positions(tf.keras.layers.Layer):
    """One position per token: 0, 1, 2, ... for each sentence."""

    def call(self, lengths):
        return tf.map_fn(tf.range, lengths)  # why: TW502


lengths = tf.constant([2, 3, 1])
positions = Positions()(lengths)
print("longest sentence ends at position", int(tf.reduce_max(positions)))
