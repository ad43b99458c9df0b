# requires: keras2
"""The lower layers are frozen after `compile`: Keras 2 goes on training them."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

x = np.random.default_rng(0).normal(size=(48, 8)).astype("float32")
y = (x[:, :1] > 0).astype("float32")
model = keras.Sequential([keras.Input((8,)), layers.Dense(8, activation="relu"), layers.Dense(1)])
model.compile("adam", "mse")
for layer in model.layers[:-1]:
    layer.trainable = False  # why: TW116
model.fit(x, y, epochs=2, verbose=0)
