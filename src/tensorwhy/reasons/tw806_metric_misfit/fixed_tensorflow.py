"""Sums the squared errors of each sample: the mean over batches is the same for every batch size."""

import numpy as np
import tensorflow as tf


def deviation(wanted, given):
    return tf.reduce_sum(tf.square(wanted - given), axis=-1)


generator = np.random.default_rng(0)
signals = generator.normal(size=(128, 5)).astype("float32")
responses = signals[:, :3] * 2.0

model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(3)])
model.compile("adam", "mse", metrics=[deviation])
model.fit(signals, responses, batch_size=16, epochs=2, verbose=0)
small = model.evaluate(signals, responses, batch_size=16, verbose=0)[1]
large = model.evaluate(signals, responses, batch_size=64, verbose=0)[1]
assert abs(small - large) < 1e-3 * large
