"""A layer of attention says that it supports masks, and takes none: padding is attended to like words."""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
tf.keras.utils.set_random_seed(7)


class Mixing(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
        self.query, self.key = layers.Dense(4), layers.Dense(4)

    def build(self, shape):
        self.query.build(shape)
        self.key.build(shape)

    def call(self, words):
        scores = tf.matmul(self.query(words), self.key(words), transpose_b=True)  # why: TW612
        return tf.matmul(tf.nn.softmax(scores), words)


words = tf.keras.Input((6,), dtype="int32")
mixed = Mixing()(layers.Embedding(9, 4, mask_zero=True)(words))
model = tf.keras.Model(words, layers.Dense(1)(layers.GlobalAveragePooling1D()(mixed)))
model.compile("adam", "mse")
given = np.random.default_rng(0).integers(1, 9, (8, 6))
given[:, 4:] = 0
model.fit(given, given[:, :1].astype("float32"), verbose=0)
