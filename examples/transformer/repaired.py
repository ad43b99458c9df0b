"""A small transformer with a padding mask and learned positions, trained by `fit`."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(14)
VOCABULARY, LENGTH, WIDTH = 20, 8, 16


def sequences(count, seed):
    """Token sequences with padding; the class is whether the first token comes back at the end."""
    rng = np.random.default_rng(seed)
    tokens = rng.integers(1, VOCABULARY, size=(count, LENGTH))
    lengths = rng.integers(4, LENGTH + 1, size=count)
    labels = rng.integers(0, 2, size=count)
    for row, length, label in zip(tokens, lengths, labels):
        row[length - 1] = row[0] if label else (row[0] % (VOCABULARY - 1)) + 1
        row[length:] = 0
    return tokens.astype("int32"), labels.astype("int32")


class PositionalEmbedding(layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.words = layers.Embedding(VOCABULARY, WIDTH, name="words")
        self.positions = layers.Embedding(LENGTH, WIDTH, name="positions")

    def call(self, tokens):
        where = self.positions(tf.range(tf.shape(tokens)[-1]))
        words = self.words(tokens) * tf.math.sqrt(tf.cast(WIDTH, tf.float32))
        return words + where


class EncoderBlock(layers.Layer):
    def __init__(self, heads, **kwargs):
        super().__init__(**kwargs)
        self.attention = layers.MultiHeadAttention(num_heads=heads, key_dim=WIDTH // heads)
        self.first_norm, self.second_norm = layers.LayerNormalization(), layers.LayerNormalization()
        self.feed_forward = keras.Sequential([layers.Dense(2 * WIDTH, activation="relu"), layers.Dense(WIDTH)])
        self.dropout = layers.Dropout(0.1)

    def call(self, x, visible, training=False):
        mixed = self.attention(x, x, attention_mask=visible[:, tf.newaxis, :])
        x = self.first_norm(x + self.dropout(mixed, training=training))
        return self.second_norm(x + self.dropout(self.feed_forward(x), training=training))


class Classifier(keras.Model):
    def __init__(self, blocks=1, heads=2):
        super().__init__()
        self.embedding = PositionalEmbedding(name="embedding")
        self.blocks = [EncoderBlock(heads) for _ in range(blocks)]
        self.head = layers.Dense(2, name="head")

    def call(self, tokens, training=False):
        visible = tf.not_equal(tokens, 0)
        x = self.embedding(tokens)
        for block in self.blocks:
            x = block(x, visible, training=training)
        weights = tf.cast(visible, x.dtype)[:, :, tf.newaxis]
        return self.head(tf.reduce_sum(x * weights, axis=1) / tf.reduce_sum(weights, axis=1))


def main():
    tokens, labels = sequences(96, seed=15)
    model = Classifier()
    model.compile(
        optimizer=keras.optimizers.Adam(0.005),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(tokens, labels, epochs=2, batch_size=32, verbose=0)
    print("loss", [round(v, 3) for v in history.history["loss"]])
    print("evaluated on", len(sequences(32, seed=16)[0]), "sequences")


if __name__ == "__main__":
    main()
