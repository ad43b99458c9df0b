# requires: keras3
"""The second model of a process has other automatic names than the file of the first: nothing is loaded, silently."""

import os
import tempfile

import numpy as np
import tensorflow as tf


def network():
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(3), tf.keras.layers.Dense(2)])


first = network()
second = network()
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "first.h5")
    first.save(path)
    second.load_weights(path, by_name=True, skip_mismatch=True)  # why: TW605
print(second(np.ones((1, 4))))
