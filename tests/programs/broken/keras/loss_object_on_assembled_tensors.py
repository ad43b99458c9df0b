"""A term between two parts of a model, taken by calling a loss object while the model is assembled."""
# requires: keras3

import numpy as np
import tensorflow as tf


def encoder(features):
    inputs = tf.keras.Input((features,))
    hidden = tf.keras.layers.Dense(16, activation="relu")(inputs)
    code = tf.keras.layers.Dense(4)(hidden)
    return inputs, code


def agreement(first, second):
    compare = tf.keras.losses.CosineSimilarity()
    return compare(first, second)  # why: TW303


left, left_code = encoder(8)
right, right_code = encoder(8)
model = tf.keras.Model([left, right], [left_code, right_code])
model.add_loss(agreement(left_code, right_code))
model.compile(optimizer="adam", loss="mse")
views = np.random.default_rng(0).normal(size=(2, 32, 8)).astype("float32")
model.fit(list(views), [np.zeros((32, 4), "float32")] * 2, epochs=1, verbose=0)
