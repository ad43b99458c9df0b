"""A small transformer block with a padding mask and sample weights, trained by fit."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(121)
rng = np.random.default_rng(121)
tokens = rng.integers(1, 15, size=(32, 6))
tokens[:, 4:] *= rng.integers(0, 2, size=(32, 2))
labels = (tokens[:, 0] > 7).astype("int32")


class Block(layers.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(num_heads=2, key_dim=4)
        self.norm = layers.LayerNormalization()
        self.dense = layers.Dense(width, activation="relu")

    def call(self, x, visible):
        mixed = self.attention(x, x, attention_mask=visible[:, None, :])
        return self.dense(self.norm(x + mixed))


class TinyTransformer(keras.Model):
    def __init__(self):
        super().__init__()
        self.embed = layers.Embedding(15, 8)
        self.block = Block(8)
        self.out = layers.Dense(2, activation="softmax")

    def call(self, inputs):
        visible = tf.not_equal(inputs, 0)
        h = self.block(self.embed(inputs), visible)
        weights = tf.cast(visible, h.dtype)[:, :, None]
        pooled = tf.reduce_sum(h * weights, axis=1) / tf.reduce_sum(weights, axis=1)
        return self.out(pooled)


model = TinyTransformer()
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
weights = np.where(labels == 1, 1.5, 1.0)
history = model.fit(tokens, labels, sample_weight=weights, epochs=2, batch_size=16, verbose=0)
print([round(v, 3) for v in history.history["loss"]])
