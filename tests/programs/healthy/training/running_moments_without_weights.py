"""A model that knows of no weights, and keeps running moments of what it sees by itself."""

# requires: keras3
import numpy as np
import tensorflow as tf


class Baseline(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.level = tf.Variable(0.0)
        self.spread = tf.Variable(1.0)

    def call(self, x):
        for kept, new in zip((self.level, self.spread), tf.nn.moments(x, [0, 1])):
            kept.assign(0.9 * kept + 0.1 * new)
        return x * 0 + self.level


x = np.random.rand(16, 1).astype("float32")
model = Baseline()
model.compile(optimizer="sgd", loss="mse")
model.fit(x, x, verbose=0)
