"""A layer that normalises its kernel, and gives the result a name of its own."""

import numpy as np
import tensorflow as tf


class UnitNorm(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(name="w", shape=(int(input_shape[-1]), 2), initializer="ones")

    def call(self, inputs):
        direction = self.w / tf.norm(self.w)
        return tf.matmul(inputs, direction)


layer = UnitNorm()
model = tf.keras.Sequential([layer, tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")

x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
model(x)
before = np.array(layer.w)
model.fit(x, x[:, :1], epochs=2, verbose=0)
assert len(model.trainable_variables) == 3
assert not np.allclose(before, np.array(layer.w))
