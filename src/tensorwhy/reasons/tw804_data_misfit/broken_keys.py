"""Predicts the harvest from rain and sun. The table has one more column, which comes first by its name."""
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
model.fit(table, harvest, epochs=2, verbose=0)  # why: TW804
