# requires: keras3
# The features before the last layer are taken from a Sequential model that was only called on values.
import numpy as np
from tensorflow import keras


def build():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(8, name="features"), keras.layers.Dense(2)])


model = build()
model.predict(np.zeros((1, 4), "float32"), verbose=0)
both = keras.Model(
    model.inputs,
    [
        model.get_layer("features").output,
        model.output,  # why: TW308
    ],
)
