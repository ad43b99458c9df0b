"""A small vision transformer: patches by a custom layer, learned positions, a class token, multi-head attention."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(7)
x = np.random.default_rng(7).uniform(size=(16, 12, 12, 3)).astype("float32")
y = np.arange(16) % 3


class Patches(layers.Layer):
    def __init__(self, size, **kwargs):
        super().__init__(**kwargs)
        self.size = size

    def call(self, images):
        patches = tf.image.extract_patches(
            images, [1, self.size, self.size, 1], [1, self.size, self.size, 1], [1, 1, 1, 1], "VALID"
        )
        return tf.reshape(patches, [tf.shape(images)[0], -1, self.size * self.size * 3])


class PatchEncoder(layers.Layer):
    def __init__(self, count, width, **kwargs):
        super().__init__(**kwargs)
        self.count, self.width = count, width
        self.projection = layers.Dense(width)
        self.position = layers.Embedding(count + 1, width)

    def build(self, shape):
        self.token = self.add_weight(name="token", shape=(1, 1, self.width), initializer="random_normal")
        super().build(shape)

    def call(self, patches):
        tokens = tf.tile(self.token, [tf.shape(patches)[0], 1, 1])
        embedded = tf.concat([tokens, self.projection(patches)], axis=1)
        return embedded + self.position(tf.range(self.count + 1))


inputs = keras.Input((12, 12, 3))
h = PatchEncoder(9, 16)(Patches(4)(inputs))
for _ in range(2):
    a = layers.LayerNormalization(epsilon=1e-6)(h)
    a = layers.MultiHeadAttention(num_heads=2, key_dim=8, dropout=0.1)(a, a)
    h = layers.Add()([h, a])
    m = layers.LayerNormalization(epsilon=1e-6)(h)
    m = layers.Dense(16)(layers.Dense(32, activation=tf.nn.gelu)(m))
    h = layers.Add()([h, m])
outputs = layers.Dense(3)(layers.LayerNormalization()(h)[:, 0])
model = keras.Model(inputs, outputs)
model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
history = model.fit(x, y, batch_size=8, epochs=2, verbose=0)
print(len(model.trainable_weights), sorted(history.history))
