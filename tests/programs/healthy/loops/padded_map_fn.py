"""Ranges of different length, padded inside the mapped function, and as a mask without one."""

import tensorflow as tf


class Positions(tf.keras.layers.Layer):
    def call(self, lengths):
        longest = tf.reduce_max(lengths)
        return tf.map_fn(lambda n: tf.pad(tf.range(n), [[0, longest - n]], constant_values=-1), lengths)


lengths = tf.constant([2, 3, 1])
print(Positions()(lengths).numpy().tolist())
print(tf.function(Positions())(lengths).numpy().tolist())
print(tf.sequence_mask(lengths).numpy().sum())
