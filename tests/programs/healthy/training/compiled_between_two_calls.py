"""The model is compiled again between two calls of `fit`."""

import numpy as np
from tensorflow import keras

model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")

model.fit(x, x[:, :1], epochs=2, verbose=0)
model.compile("sgd", "mse")
model.fit(x, x[:, :1], initial_epoch=2, epochs=4, verbose=0)
