"""Sets the momentum under the name that the optimizer reads."""

import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01, beta_1=0.5)
model.compile(optimizer=optimizer, loss="mse")
model.fit(features, labels, epochs=2, batch_size=16, verbose=0)
assert optimizer.get_config()["beta_1"] == 0.5
