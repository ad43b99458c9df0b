"""A recurrent cell makes a weight, and a local name of the same spelling takes its place; Keras 3 makes it in `fit`."""

import numpy as np
import tensorflow as tf


class MyCell(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.state_size = units
        self.output_size = units

    def build(self, shape):
        width = shape[-1] + self.units
        self.w_r = self.add_weight(name="w_r", shape=(width, self.units), initializer="glorot_uniform")
        self.w_z = self.add_weight(name="w_z", shape=(width, self.units), initializer="glorot_uniform")
        self.w_n = self.add_weight(name="w_n", shape=(width, self.units), initializer="glorot_uniform")
        self.interim = self.add_weight(name="interim", shape=(self.units,), initializer="zeros")  # why: TW115
        self.built = True

    def call(self, x, states):
        h = states[0]
        both = tf.concat([x, h], axis=1)
        r = tf.sigmoid(tf.matmul(both, self.w_r))
        z = tf.sigmoid(tf.matmul(both, self.w_z))
        interim = tf.concat([x, r * h], axis=1)
        n = tf.tanh(tf.matmul(interim, self.w_n))
        new = (1.0 - z) * n + z * h
        return new, [new]


class Forecaster(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.rnn = tf.keras.layers.RNN(MyCell(6))
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.out(self.rnn(x))


def windows(series, size):
    x = np.stack([series[i : i + size] for i in range(len(series) - size)])
    return x[..., None].astype("float32"), series[size:, None].astype("float32")


x, y = windows(np.sin(np.arange(40) / 3.0), 5)
model = Forecaster()
model.compile("adam", "mse")
model.fit(x, y, epochs=1, verbose=0)
