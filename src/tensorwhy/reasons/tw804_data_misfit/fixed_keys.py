"""Predicts the harvest from rain and sun. The model is given its inputs and nothing else."""
# requires: keras3

import numpy as np
import tensorflow as tf

generator = np.random.default_rng(0)
table = {name: generator.random((16, 1)).astype("float32") for name in ("field", "rain", "sun")}
harvest = 2.0 * table["rain"] + table["sun"]

rain, sun = tf.keras.Input((1,), name="rain"), tf.keras.Input((1,), name="sun")
both = tf.keras.layers.Concatenate()([rain, sun])
model = tf.keras.Model({"rain": rain, "sun": sun}, tf.keras.layers.Dense(1)(both))
model.compile("sgd", "mse")
inputs = {name: table[name] for name in ("rain", "sun")}
model.fit(inputs, harvest, epochs=2, verbose=0)
assert set(inputs) == {"rain", "sun"}
