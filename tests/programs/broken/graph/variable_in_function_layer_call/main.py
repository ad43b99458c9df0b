import numpy as np
import tensorflow as tf


class Residual(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units

    def build(self, input_shape):
        self.built = True

    def call(self, inputs):
        return inputs + self.transform(inputs)

    def transform(self, inputs):
        scale = tf.Variable(tf.ones([self.units]))  # why: TW408
        return tf.nn.tanh(inputs) * scale


model = tf.keras.Sequential([Residual(3), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
