"""A layer computes a context from its input, and returns the input."""
import numpy as np
import tensorflow as tf

class Context(tf.keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.q = tf.keras.layers.Dense(units)
        self.k = tf.keras.layers.Dense(units)

    def call(self, x):
        q, k = self.q(x), self.k(x)
        weights = tf.nn.softmax(tf.matmul(q, k, transpose_b=True))
        context = tf.matmul(weights, x)  # why: TW115
        return x

class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.context = Context(4)
        self.out = tf.keras.layers.Dense(1)

    def call(self, x):
        return tf.reduce_mean(self.out(self.context(x)), 1)

x = np.random.default_rng(0).normal(size=(8, 5, 4)).astype("float32")
m = Net()
m.compile("adam", "mse")
m.fit(x, x[:, 0, :1], verbose=0)
