"""A training goes on where it ended, but `epochs` counts from the beginning."""

import numpy as np
import tensorflow as tf

x, y = np.random.rand(16, 3), np.random.rand(16, 1)
model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(x, y, epochs=3, verbose=0)
model.fit(x, y, initial_epoch=3, epochs=3, verbose=0)  # why: TW604
print(model.predict(x[:1], verbose=0))
