"""A test gives the loss and one metric, and the program unpacks three."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse", metrics=["mae"])
loss, error, accuracy = model.evaluate(np.ones((8, 4)), np.ones((8, 1)), verbose=0)  # why: TW701
