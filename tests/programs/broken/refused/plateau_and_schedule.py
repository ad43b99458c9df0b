# requires: keras3
"""A callback sets the learning rate of an optimizer that follows a schedule."""
import numpy as np
import tensorflow as tf

decay = tf.keras.optimizers.schedules.ExponentialDecay(0.01, decay_steps=20, decay_rate=0.9)
model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(decay), "mse")
plateau = tf.keras.callbacks.ReduceLROnPlateau(monitor="loss", patience=0, min_delta=10.0)
model.fit(np.ones((8, 2)), np.ones((8, 1)), epochs=3, verbose=0, callbacks=[plateau])  # why: TW701
