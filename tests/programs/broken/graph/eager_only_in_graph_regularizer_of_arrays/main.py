import numpy as np
from tensorflow import keras

from penalties import GroupLasso


def build(units):
    model = keras.Sequential()
    model.add(keras.Input((5,)))
    model.add(keras.layers.Dense(units, kernel_regularizer=GroupLasso(0.01), activation="relu"))
    model.add(keras.layers.Dense(1))
    model.compile("adam", "mse")
    return model


build(8).fit(np.random.rand(16, 5), np.random.rand(16, 1), verbose=0)
