# requires: keras3
# The layer overrides `__call__` where Keras expects `call`, so nothing of Keras runs around its functions.
import tensorflow as tf
from tensorflow import keras


class Capsule(keras.layers.Layer):
    def __init__(self, count, width):
        super().__init__()
        self.count, self.width = count, width
        self.project = keras.layers.Dense(count * width)

    def squash(self, vectors):
        norm = tf.norm(vectors, axis=-1, keepdims=True)  # why: TW302
        return vectors * norm / (1.0 + norm**2)

    def __call__(self, inputs):
        x = self.project(inputs)
        x = keras.layers.Reshape((self.count, self.width))(x)
        return self.squash(x)


def build():
    inputs = keras.Input((20,))
    x = keras.layers.Dense(16, activation="relu")(inputs)
    x = Capsule(4, 3)(x)
    return keras.Model(inputs, keras.layers.Flatten()(x))


model = build()
model.compile("adam", "mse")
