"""A layer that normalises its kernel, and stores the result under the kernel's own name."""

import numpy as np
import tensorflow as tf


class UnitNorm(tf.keras.layers.Layer):
    def build(self, input_shape):
        self.w = self.add_weight(name="w", shape=(int(input_shape[-1]), 2), initializer="ones")

    def call(self, inputs):
        self.w = self.w / tf.norm(self.w)  # why: TW401
        return tf.matmul(inputs, self.w)


model = tf.keras.Sequential([UnitNorm(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")

x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
model.fit(x, x[:, :1], epochs=2, verbose=0)
