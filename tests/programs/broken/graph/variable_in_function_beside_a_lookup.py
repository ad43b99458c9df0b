"""A layer for colours makes its lookup and its embedding anew in each call; only the embedding has variables."""

import tensorflow as tf


class Colours(tf.keras.layers.Layer):
    def __init__(self, size):
        super().__init__()
        self.size = size

    def call(self, names):
        number = tf.keras.layers.StringLookup(vocabulary=["red", "green", "blue"])
        vector = tf.keras.layers.Embedding(4, self.size)  # why: TW408
        return vector(number(names))


colours = Colours(3)


@tf.function
def score(names):
    return tf.reduce_sum(colours(names), axis=-1)


print(score(tf.constant(["red", "blue"])))
print(score(tf.constant(["green"])))
