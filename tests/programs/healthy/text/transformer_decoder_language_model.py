"""A decoder-only language model: sinusoidal positions, causal mask, tied output weights, warm-up schedule, sampling."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(13)
VOCABULARY, WIDTH, LENGTH = 16, 16, 8
tokens = np.random.default_rng(13).integers(1, VOCABULARY, size=(24, LENGTH + 1)).astype("int32")


def positions(length, depth):
    angles = np.arange(length)[:, None] / 10000 ** (np.arange(depth // 2)[None] / (depth // 2))
    return tf.constant(np.concatenate([np.sin(angles), np.cos(angles)], axis=-1), dtype=tf.float32)


class PositionalEmbedding(layers.Layer):
    def __init__(self):
        super().__init__()
        self.embedding = layers.Embedding(VOCABULARY, WIDTH)
        self.encoding = positions(32, WIDTH)

    def call(self, x):
        length = tf.shape(x)[1]
        return self.embedding(x) * WIDTH**0.5 + self.encoding[tf.newaxis, :length]

    def project(self, hidden):
        return tf.matmul(hidden, self.embedding.embeddings, transpose_b=True)


class Block(layers.Layer):
    def __init__(self):
        super().__init__()
        self.attention = layers.MultiHeadAttention(2, WIDTH // 2)
        self.norm1, self.norm2 = layers.LayerNormalization(), layers.LayerNormalization()
        self.feed = keras.Sequential([layers.Dense(32, activation="relu"), layers.Dense(WIDTH), layers.Dropout(0.1)])

    def call(self, x, training=False):
        length = tf.shape(x)[1]
        mask = tf.linalg.band_part(tf.ones((1, length, length), tf.bool), -1, 0)
        x = self.norm1(x + self.attention(x, x, attention_mask=mask))
        return self.norm2(x + self.feed(x, training=training))


class LanguageModel(keras.Model):
    def __init__(self, blocks):
        super().__init__()
        self.embed = PositionalEmbedding()
        self.blocks = [Block() for _ in range(blocks)]

    def call(self, x, training=False):
        x = self.embed(x)
        for block in self.blocks:
            x = block(x, training=training)
        return self.embed.project(x)


class WarmUp(keras.optimizers.schedules.LearningRateSchedule):
    def __init__(self, width, steps):
        super().__init__()
        self.width, self.steps = width, steps

    def __call__(self, step):
        step = tf.cast(step, tf.float32) + 1.0
        return tf.math.rsqrt(float(self.width)) * tf.minimum(tf.math.rsqrt(step), step * self.steps**-1.5)

    def get_config(self):
        return {"width": self.width, "steps": self.steps}


model = LanguageModel(2)
model.compile(keras.optimizers.Adam(WarmUp(WIDTH, 4)), keras.losses.SparseCategoricalCrossentropy(from_logits=True))
history = model.fit(tokens[:, :-1], tokens[:, 1:], epochs=2, batch_size=8, verbose=0)
print(history.history["loss"][-1] < history.history["loss"][0])
context = tf.constant(tokens[:1, :3])
for step in range(3):
    logits = model(context)[:, -1, :]
    choice = tf.random.stateless_categorical(logits, 1, seed=(step, 1), dtype=tf.int32)
    context = tf.concat([context, choice], axis=1)
print(context.shape)
