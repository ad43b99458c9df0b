# The attention of a batch is an output of its own, and not an attribute that was set while tracing.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class AttentionPooling(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.hidden = keras.layers.Dense(units, activation="tanh")
        self.score = keras.layers.Dense(1)

    def build(self, input_shape):
        self.hidden.build(input_shape)
        self.score.build((*input_shape[:-1], self.hidden.units))
        self.built = True

    def call(self, inputs):
        weights = tf.nn.softmax(self.score(self.hidden(inputs)), axis=1)
        return tf.reduce_sum(weights * inputs, axis=1), weights


inputs = keras.Input((5, 3))
pooled, weights = AttentionPooling(4)(inputs)
outputs = keras.layers.Dense(1)(pooled)
model = keras.Model(inputs, outputs)
look = keras.Model(inputs, weights)
x = np.random.default_rng(0).normal(size=(8, 5, 3)).astype("float32")
model.compile("adam", "mse")
model.fit(x, x[:, 0, :1], epochs=1, verbose=0)
print(np.allclose(look.predict(x, verbose=0).sum(axis=1), 1.0, atol=1e-5))
