# requires: keras3
"""Probabilities of one unit, clipped for the logarithm: the clip stops the gradient, but a softmax made the ones."""

import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(0)


def focal(y, p):
    p = tf.clip_by_value(p, 1e-6, 1 - 1e-6)
    hit = y * p + (1 - y) * (1 - p)
    return tf.reduce_mean(-(1 - hit) * tf.math.log(hit))


model = keras.Sequential([
    keras.Input((6,)),
    keras.layers.Dense(8, activation="relu"),
    keras.layers.Dense(1, activation="softmax"),  # why: TW206
])
model.compile(optimizer="adam", loss=focal)
x = np.random.default_rng(0).normal(size=(32, 6)).astype("float32")
model.fit(x, (x.sum(1, keepdims=True) > 0).astype("float32"), epochs=2, verbose=0)
