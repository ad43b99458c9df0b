# Mistakes in the making of models are tried out and handled, as tests of a library do.
import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def attempt(build):
    try:
        build()
    except (TypeError, ValueError, AttributeError) as error:
        return type(error).__name__
    return "works"


def disconnected():
    one, other = keras.Input((3,)), keras.Input((3,))
    keras.Model(one, layers.Dense(1)(layers.Add()([one, other])))


def uncalled():
    x = layers.Dense(3)
    layers.Dense(1)(x)


def data_as_input():
    x = np.zeros((4, 3), "float32")
    keras.Model(x, layers.Dense(1)(x))


def right():
    one, other = keras.Input((3,)), keras.Input((3,))
    keras.Model([one, other], layers.Dense(1)(layers.Add()([one, other])))


print([attempt(build) != "works" for build in (disconnected, uncalled, data_as_input, right)])
