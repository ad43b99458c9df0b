import numpy as np
import tensorflow as tf


class Normalised(tf.keras.layers.Layer):
    """A dense layer that divides its kernel by its norm."""

    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.kernel = self.add_weight(name="kernel", shape=(int(input_shape[-1]), self.units), initializer="ones")
        self.bias = self.add_weight(name="bias", shape=(self.units,), initializer="zeros")

    def normalise(self):
        self.kernel = self.kernel / tf.norm(self.kernel)  # why: TW401

    def call(self, inputs):
        self.normalise()
        return tf.matmul(inputs, self.kernel) + self.bias


model = tf.keras.Sequential([Normalised(4), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
print(model.predict(x, verbose=0).shape)
