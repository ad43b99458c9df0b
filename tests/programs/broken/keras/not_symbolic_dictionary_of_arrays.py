# The arrays of a data set are given to `Model` where its inputs belong, in a dictionary.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def features(rows):
    rng = np.random.default_rng(0)
    return {"age": rng.normal(size=(rows, 1)), "income": rng.normal(size=(rows, 1))}


def build(parts):
    joined = layers.Concatenate()([layers.Dense(4)(part) for part in parts.values()])
    return keras.Model(inputs=list(parts.values()), outputs=layers.Dense(1)(joined))


data = features(16)  # why: TW301
model = build(data)
model.compile("adam", "mse")
model.fit(list(data.values()), np.zeros((16, 1)), verbose=0)
