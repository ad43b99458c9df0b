# A layer that makes one range per sequence length: map_fn stacks its results, and these have different lengths.
import tensorflow as tf


class Positions(tf.keras.layers.Layer):
    def call(self, lengths):
        return tf.map_fn(tf.range, lengths, fn_output_signature=tf.int32)  # why: TW502


positions = Positions()
print(positions(tf.constant([2, 3, 1])))
