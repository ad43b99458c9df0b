# A failure of the data: a token beyond the vocabulary.
import numpy as np
from tensorflow import keras

tokens = keras.Input((4,), dtype="int32")
x = keras.layers.Embedding(10, 3)(tokens)
model = keras.Model(tokens, keras.layers.Dense(1)(keras.layers.Flatten()(x)))
model.compile("sgd", "mse")
model.fit(np.full((4, 4), 50), np.zeros((4, 1)), verbose=0)  # why: TW701
