"""The whole model is frozen instead of its base, and then told to train."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.default_rng(0).normal(size=(48, 8)).astype("float32")
y = (x[:, :1] > 0).astype("float32")
base = keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu")])
model = keras.Sequential([base, layers.Dense(4), layers.Dense(1)])
model.build((None, 8))
model.trainable = False  # why: TW116
model.compile("adam", "mse", metrics=["mae"])
model.fit(x, y, epochs=2, verbose=0)
