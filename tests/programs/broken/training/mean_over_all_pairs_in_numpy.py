"""Compares predictions of shape (n, 1) with labels of shape (n,) in NumPy: every house with every price."""

import numpy as np
import tensorflow as tf


def error(wanted, given):
    off = wanted - given  # why: TW801
    return float(np.sqrt(np.mean(off**2)))


generator = np.random.default_rng(2)
houses = generator.normal(size=(80, 5)).astype("float32")
prices = houses @ np.arange(5, dtype="float32")
model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(0.05), "mse")
model.fit(houses, prices, epochs=5, verbose=0)
print("error", error(prices, model.predict(houses, verbose=0)))
