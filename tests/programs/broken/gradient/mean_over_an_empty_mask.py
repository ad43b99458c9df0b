# requires: tf>=2.16
"""A mean over what a mask keeps divides by the number of what it keeps, which is 0 for some samples."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


def masked_error(wanted, given):
    mask = tf.cast(wanted > 0, tf.float32)
    kept = tf.reduce_sum(mask, axis=-1)
    error = tf.reduce_sum(mask * tf.square(wanted - given), axis=-1) / kept  # why: TW211
    return tf.where(kept > 0, error, tf.zeros_like(error))


inputs = np.random.default_rng(0).normal(size=(64, 5)).astype("float32")
wanted = np.random.default_rng(1).normal(size=(64, 3)).astype("float32")
wanted[::7] = -1.0
model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(3)])
model.compile("adam", masked_error)
print(model.fit(inputs, wanted, epochs=3, verbose=0).history["loss"])
