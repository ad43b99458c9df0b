"""One layer takes its mask; another one says that it supports masks, and treats each position by itself."""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
tf.keras.utils.set_random_seed(7)


class Mixing(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True

    def call(self, words, mask=None):
        scores = tf.matmul(words, words, transpose_b=True)
        if mask is not None:
            scores -= 1e9 * (1.0 - tf.cast(mask, "float32")[:, None, :])
        return tf.matmul(tf.nn.softmax(scores), words)


class Gate(layers.Layer):
    def __init__(self):
        super().__init__()
        self.supports_masking = True
        self.inner, self.norm = layers.Dense(4), layers.LayerNormalization()

    def build(self, shape):
        self.inner.build(shape)
        self.norm.build(shape)

    def call(self, words):
        return self.norm(words * tf.nn.softmax(self.inner(words)))


words = tf.keras.Input((6,), dtype="int32")
mixed = Mixing()(Gate()(layers.Embedding(9, 4, mask_zero=True)(words)))
model = tf.keras.Model(words, layers.Dense(1)(layers.GlobalAveragePooling1D()(mixed)))
model.compile("adam", "mse")
given = np.random.default_rng(0).integers(1, 9, (8, 6))
given[:, 4:] = 0
model.fit(given, given[:, :1].astype("float32"), verbose=0)
