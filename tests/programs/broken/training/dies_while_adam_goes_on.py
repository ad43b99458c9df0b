# requires: tf>=2.16
"""A rectified output dies after some epochs, and Adam moves the weights on for a while: they never stand still."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
inputs = np.arange(-1.0, 6.0, dtype="float32")[:, None]
outputs = -2.0 * inputs - 3.0
model = tf.keras.Sequential(
    [
        tf.keras.Input((1,)),
        tf.keras.layers.Dense(4, activation="tanh"),
        tf.keras.layers.Dense(1, activation="relu", bias_initializer="ones"),  # why: TW201
    ]
)
model.compile(optimizer=tf.keras.optimizers.Adam(0.05), loss="mse")
model.fit(inputs, outputs, epochs=100, verbose=0)
