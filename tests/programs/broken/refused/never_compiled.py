"""A loaded architecture is trained as if it had been compiled."""

import numpy as np
import tensorflow as tf

model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(2)])
twin = tf.keras.models.clone_model(model)
twin.fit(np.ones((8, 4)), np.ones((8, 2)), verbose=0)  # why: TW701
