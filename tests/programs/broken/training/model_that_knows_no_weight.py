"""A model keeps all of its layers in an object that Keras does not look into: it trains nothing at all."""

import numpy as np
import tensorflow as tf


class Tower:
    def __init__(self):
        self.hidden = tf.keras.layers.Dense(8, activation="relu")
        self.head = tf.keras.layers.Dense(1)

    def __call__(self, x):
        return self.head(self.hidden(x))


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.tower = Tower()  # why: TW602

    def call(self, x):
        return self.tower(x)


model = Net()
model.compile(optimizer="sgd", loss="mse")
x, y = np.random.rand(64, 4).astype("float32"), np.random.rand(64, 1).astype("float32")
model.fit(x, y, epochs=3, verbose=0)
