# Positions, masks and slices are computed with TensorFlow functions inside of layers, where they belong.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


class TokenAndPosition(layers.Layer):
    def __init__(self, length, vocabulary, width):
        super().__init__()
        self.by_token = layers.Embedding(vocabulary, width)
        self.by_position = layers.Embedding(length, width)

    def build(self, input_shape):
        self.by_token.build(input_shape)
        self.by_position.build((None,))
        self.built = True

    def call(self, tokens):
        positions = tf.range(tf.shape(tokens)[-1])
        return self.by_token(tokens) + self.by_position(positions)


class FirstToken(layers.Layer):
    def call(self, x):
        return x[:, 0]


def block(x, heads, width):
    attended = layers.MultiHeadAttention(heads, width // heads)(x, x)
    x = layers.LayerNormalization()(layers.Add()([x, attended]))
    changed = layers.Dense(width)(layers.Dense(2 * width, activation="relu")(x))
    return layers.LayerNormalization()(layers.Add()([x, changed]))


def transformer(length, vocabulary, width):
    tokens = keras.Input((length,), dtype="int32")
    x = TokenAndPosition(length, vocabulary, width)(tokens)
    x = block(x, 2, width)
    return keras.Model(tokens, layers.Dense(1, activation="sigmoid")(FirstToken()(x)))


model = transformer(6, 20, 8)
model.compile("adam", "binary_crossentropy")
rng = np.random.default_rng(0)
model.fit(rng.integers(0, 20, size=(16, 6)), rng.integers(0, 2, size=(16, 1)), epochs=1, verbose=0)
print(model.predict(np.zeros((2, 6), "int32"), verbose=0).shape)
