"""A layer says of its weight that it is not trained, and keeps a list of its own."""

import numpy as np
import tensorflow as tf


class Scales(tf.keras.layers.Layer):
    def build(self, shape):
        self.scales = self.add_weight(shape=(shape[-1],), initializer="ones", name="scales", trainable=False)
        self.kept = []
        self.kept.append(self.scales)
        names = [each.name for each in self.non_trainable_weights]
        names.append(self.name)

    def call(self, x):
        return x * self.scales


model = tf.keras.Sequential([tf.keras.Input((3,)), Scales(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
model.fit(x, x[:, :1], verbose=0)
