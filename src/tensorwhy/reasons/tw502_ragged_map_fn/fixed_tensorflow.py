"""Positions of every token of a batch of sentences, from the sentences' lengths."""

import tensorflow as tf


class Positions(tf.keras.layers.Layer):
    """One position per token: 0, 1, 2, ... for each sentence."""

    def call(self, lengths):
        return tf.map_fn(tf.range, lengths, fn_output_signature=tf.RaggedTensorSpec(shape=[None], dtype=tf.int32))


lengths = tf.constant([2, 3, 1])
positions = Positions()(lengths)
print("longest sentence ends at position", int(tf.reduce_max(positions)))
assert positions.to_list() == [[0, 1], [0, 1, 2], [0]]
assert positions.to_list() == tf.ragged.range(lengths).to_list()
