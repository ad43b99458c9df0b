# `return_state=True` was added to hand the states to a decoder; the classifier still takes what the layer returns.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def encode(tokens, vocabulary, units):
    x = layers.Embedding(vocabulary, 8)(tokens)
    return layers.LSTM(units, return_state=True)(x)  # why: TW306


def classifier(length, vocabulary, units=16):
    tokens = keras.Input((length,), dtype="int32")
    code = encode(tokens, vocabulary, units)
    hidden = layers.Dense(8, activation="relu")(code)
    return keras.Model(tokens, layers.Dense(1, activation="sigmoid")(hidden))


model = classifier(10, 30)
model.compile("adam", "binary_crossentropy")
model.fit(np.zeros((4, 10), "int32"), np.zeros((4, 1)), verbose=0)
