# requires: keras3
"""A model with two outputs is compiled with one metric, which Keras cannot give to either."""

import numpy as np
import tensorflow as tf

given = tf.keras.Input((3,))
model = tf.keras.Model(given, [tf.keras.layers.Dense(1)(given), tf.keras.layers.Dense(1)(given)])
model.compile("sgd", loss="mse", metrics=["mae"])
model.fit(np.ones((4, 3)), [np.ones((4, 1)), np.ones((4, 1))], verbose=0)  # why: TW701
