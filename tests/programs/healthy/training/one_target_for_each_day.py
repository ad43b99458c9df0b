"""A window has a target for each day, and another model one for the whole window."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
windows = rng.random((64, 6, 3)).astype("float32")
daily = tf.keras.Sequential([tf.keras.Input((6, 3)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
daily.compile("adam", loss="mean_squared_error")
daily.fit(windows, windows.sum(2, keepdims=True), epochs=2, verbose=0)
whole = tf.keras.Sequential([tf.keras.Input((6, 3)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(1)])
whole.compile("adam", loss="mean_squared_error")
whole.fit(windows, windows.sum((1, 2)), epochs=2, verbose=0)
