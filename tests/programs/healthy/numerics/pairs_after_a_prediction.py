"""Distances of all pairs are wanted, and NumPy's warnings are of numbers that nobody uses."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
generator = np.random.default_rng(0)
counts = generator.integers(0, 4, size=50)
sizes = np.where(counts > 0, np.log(np.maximum(counts, 1)), 0.0).astype("float32")
shares = np.divide(1.0, counts)
shares[~np.isfinite(shares)] = 0.0
given = np.stack([sizes, shares.astype("float32")], axis=1)

model = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.Adam(0.05), "mse")
model.fit(given, sizes, epochs=3, verbose=0)
guessed = model.predict(given, verbose=0)
spread = np.abs(guessed - guessed.T).mean()
gaps = np.abs(sizes[:, None] - guessed[:, 0][None, :]).mean()
error = np.mean((guessed[:, 0] - sizes) ** 2)
print(spread > 0, gaps > 0, error < 10)
