"""A layer that works out a mask in every call: TensorFlow folds it into a constant."""

import numpy as np
import tensorflow as tf


class Masked(tf.keras.layers.Layer):
    def call(self, inputs):
        mask = tf.linspace(0.0, 1.0, tf.shape(inputs)[1])
        return inputs * mask


inputs = tf.keras.Input((4,))
outputs = tf.keras.layers.Dense(1)(Masked()(inputs))
model = tf.keras.Model(inputs, outputs)
model.compile("sgd", "mse")

x = np.ones((8, 4), "float32")
history = model.fit(x, x[:, :1], epochs=2, verbose=0)
print(history.history["loss"])
assert history.history["loss"][1] < history.history["loss"][0]
