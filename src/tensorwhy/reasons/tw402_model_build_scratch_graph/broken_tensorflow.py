"""A layer that works out a mask in its first call, and keeps it for the calls that follow."""

import numpy as np
import tensorflow as tf


class Masked(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.mask = None

    def call(self, inputs):
        if self.mask is None:
            self.mask = tf.linspace(0.0, 1.0, tf.shape(inputs)[1])  # why: TW402
        return inputs * self.mask


inputs = tf.keras.Input((4,))
outputs = tf.keras.layers.Dense(1)(Masked()(inputs))
model = tf.keras.Model(inputs, outputs)
model.compile("sgd", "mse")

x = np.ones((8, 4), "float32")
history = model.fit(x, x[:, :1], epochs=2, verbose=0)
print(history.history["loss"])
