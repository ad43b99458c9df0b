"""A list of callbacks holds a class of Keras's where its object is used."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
stopping = tf.keras.callbacks.TerminateOnNaN
model.fit(np.ones((4, 3)), np.ones((4, 1)), callbacks=[stopping], verbose=0)  # why: TW701
