"""The file is read when the layers have made their weights."""
# requires: keras3

import os
import tempfile

import numpy as np
import tensorflow as tf


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(4, activation="tanh")
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.hidden(x))


x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
net = Net()
net(x)
path = tf.train.Checkpoint(net=net).save(os.path.join(tempfile.mkdtemp(), "state"))

fresh = Net()
fresh(x)
tf.train.Checkpoint(net=fresh).restore(path)
assert np.allclose(net(x), fresh(x))
