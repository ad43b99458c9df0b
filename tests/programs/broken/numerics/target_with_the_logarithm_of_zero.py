"""Learns the logarithm of a size; one box has become empty by rounding."""

import numpy as np
import tensorflow as tf

heights = np.arange(3, 43)
heights[7] = 2


def targets(sizes):
    return np.log(sizes // 3).astype("float32")[:, None]  # why: TW611


def batches(x, y):
    while True:
        for start in range(0, len(x), 10):
            yield x[start : start + 10], y[start : start + 10]


wanted = targets(heights)
views = np.random.default_rng(0).normal(size=(40, 4)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
model.fit(batches(views, wanted), steps_per_epoch=4, epochs=3, verbose=0)
