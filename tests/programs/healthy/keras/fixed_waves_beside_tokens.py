"""Positions without weights, and the centre of a trained encoder, are constants of a model on purpose."""
# requires: keras3

import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(0)
generator = np.random.default_rng(1)
points = generator.normal(size=(64, 5)).astype("float32")

encoder = layers.Dense(4, activation="tanh")
first = keras.Sequential([keras.Input((5,)), encoder, layers.Dense(5)])
first.compile("adam", "mse")
first.fit(points, points, epochs=2, verbose=0)

centre = encoder(points.mean(axis=0, keepdims=True))
waves = layers.Rescaling(0.5)(np.sin(np.arange(4, dtype="float32")))
given = keras.Input((5,))
model = keras.Model(given, layers.Dense(1)(encoder(given) - centre + waves))
model.compile("adam", "mse")
model.fit(points, points[:, 0], epochs=2, verbose=0)
print(model.count_params())
