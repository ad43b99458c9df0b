"""A loss of distances between all samples of a batch, in fit, with a small number inside of the root."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


def spread(_, codes):
    pairs = tf.sqrt(tf.reduce_sum(tf.square(codes[:, None] - codes[None]), axis=-1) + 1e-9)
    return tf.reduce_mean(tf.nn.relu(1.0 - pairs), axis=-1)


model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8), tf.keras.layers.Dense(3)])
model.compile("adam", spread)
samples = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
history = model.fit(samples, samples[:, :3], epochs=4, batch_size=16, verbose=0)
print(history.history["loss"])
