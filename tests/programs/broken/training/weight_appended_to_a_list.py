"""A layer appends its weight to the list of those that are not trained, which Keras makes anew with each reading."""

import numpy as np
import tensorflow as tf


class Scales(tf.keras.layers.Layer):
    def build(self, shape):
        self.scales = self.add_weight(shape=(shape[-1],), initializer="ones", name="scales")
        self.non_trainable_weights.append(self.scales)  # why: TW612

    def call(self, x):
        return x * self.scales


model = tf.keras.Sequential([tf.keras.Input((3,)), Scales(), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
model.fit(x, x[:, :1], verbose=0)
