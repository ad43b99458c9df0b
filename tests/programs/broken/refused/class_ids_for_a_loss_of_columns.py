"""The targets are class ids in a column, and the loss wants a column for each class."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
rows = tf.keras.Input((5, 3))
model = tf.keras.Model(rows, tf.keras.layers.Dense(4, activation="softmax")(rows))
model.compile("adam", tf.keras.losses.CategoricalCrossentropy())
draw = np.random.default_rng(0)
x = draw.normal(size=(8, 5, 3)).astype("float32")
model.fit(x, draw.integers(0, 4, (8, 5, 1)).astype("float32"), verbose=0)  # why: TW701
