"""Weights are read into the model that wrote them, then into a twin, and a training goes on for more epochs."""

import os
import tempfile

import numpy as np
import tensorflow as tf


def network():
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3, name="a"), tf.keras.layers.Dense(1, name="b")])


x, y = np.random.rand(16, 4), np.random.rand(16, 1)
first, second = network(), network()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "first.weights.h5")
    first.save_weights(path)
    first.load_weights(path)
    second.load_weights(path)
second.compile("sgd", "mse")
second.fit(x, y, epochs=2, verbose=0)
second.fit(x, y, initial_epoch=2, epochs=4, verbose=0)
