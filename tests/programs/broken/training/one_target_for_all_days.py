"""Dense layers keep the axis of days: each day of a window is compared with the window's one target."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
windows = rng.random((64, 6, 3)).astype("float32")
targets = windows.sum((1, 2))[:, None]
model = tf.keras.Sequential(
    [
        tf.keras.Input((6, 3)),
        tf.keras.layers.Dense(8, activation="relu"),
        tf.keras.layers.Dense(1),  # why: TW801
    ]
)
model.compile("adam", loss="mean_squared_error")
model.fit(windows, targets, epochs=2, verbose=0)
