# A pretrained model is handed to the next layer in place of its output.
from tensorflow import keras


def pretrained():
    inputs = keras.Input((8,))
    return keras.Model(inputs, keras.layers.Dense(4)(inputs))


def extend(base):
    x = keras.layers.Dense(16, activation="relu")(base)  # why: TW306
    return keras.Model(base.input, keras.layers.Dense(2)(x))


extend(pretrained())
