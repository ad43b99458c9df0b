"""The file is read before the layers have made their weights, and they begin at random."""
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
tf.train.Checkpoint(net=fresh).restore(path)  # why: TW605
print("difference", float(np.abs(net(x) - fresh(x)).max()))
