# A scale is worked out with NumPy from what is still a plan.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def length_of(vectors):
    return np.sqrt(vectors)  # why: TW302


def cosine_head(x, classes):
    squared = layers.Dot(axes=1)([x, x])
    scale = length_of(squared)
    return layers.Dense(classes)(layers.Multiply()([x, scale]))


def build(width, classes):
    inputs = keras.Input((width,))
    x = layers.Dense(16, activation="relu")(inputs)
    return keras.Model(inputs, cosine_head(x, classes))


model = build(10, 3)
model.compile("adam", "mse")
model.fit(np.zeros((8, 10)), np.zeros((8, 3)), verbose=0)
