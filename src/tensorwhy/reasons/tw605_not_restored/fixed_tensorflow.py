"""A network is saved under one name, and read again under the same."""

import os
import tempfile

import numpy as np
import tensorflow as tf


def build():
    return tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])


x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
net = build()
path = tf.train.Checkpoint(network=net).save(os.path.join(tempfile.mkdtemp(), "state"))

fresh = build()
tf.train.Checkpoint(network=fresh).restore(path)
assert np.allclose(net(x), fresh(x))
