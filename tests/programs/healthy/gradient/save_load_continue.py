"""A model is trained, its weights are saved, loaded into a second one, and training goes on there."""

import os
import tempfile

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(126)
rng = np.random.default_rng(126)
x = rng.normal(size=(40, 3)).astype("float32")
y = x.sum(axis=1, keepdims=True)


def build():
    model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(5, activation="relu"), keras.layers.Dense(1)])
    model.compile(keras.optimizers.SGD(0.05), "mse")
    return model


first = build()
first.fit(x, y, epochs=2, batch_size=20, verbose=0, shuffle=False)
with tempfile.TemporaryDirectory() as folder:
    path = os.path.join(folder, "model.weights.h5")
    first.save_weights(path)
    second = build()
    second.load_weights(path)
difference = tf.reduce_max(tf.abs(first(x) - second(x)))
history = second.fit(x, y, epochs=2, batch_size=20, verbose=0, shuffle=False)
print("difference", float(difference))
print([round(v, 4) for v in history.history["loss"]])
