"""Adds learned positions to the tokens, which are computed once while the model is built."""
# requires: keras3

import keras
import numpy as np
from keras import layers

LENGTH, WIDTH = 6, 8


def positions():
    table = layers.Embedding(LENGTH, WIDTH)  # why: TW601
    return table(np.arange(LENGTH))


def build():
    tokens = keras.Input((LENGTH, 3))
    mixed = layers.Dense(WIDTH)(tokens) + positions()
    return keras.Model(tokens, layers.Dense(1)(layers.Flatten()(mixed)))


generator = np.random.default_rng(1)
sequences = generator.normal(size=(64, LENGTH, 3)).astype("float32")
model = build()
model.compile("adam", "mse")
model.fit(sequences, sequences[:, 2, 0], epochs=2, verbose=0)
