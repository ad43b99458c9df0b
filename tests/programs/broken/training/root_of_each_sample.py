"""A metric called RMSE that takes the root of each sample by itself: with one output it is the mean absolute error."""

import numpy as np
import tensorflow as tf


def squared(wanted, given):
    return tf.reduce_mean(tf.square(given - wanted), axis=-1)


def rmse(wanted, given):
    return tf.sqrt(squared(wanted, given))  # why: TW806


generator = np.random.default_rng(4)
weather = generator.normal(size=(96, 6)).astype("float32")
sales = (weather[:, 0] - weather[:, 1]).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(1)])
model.compile("adam", squared, metrics=[rmse])
model.fit(weather, sales, epochs=2, verbose=0)
