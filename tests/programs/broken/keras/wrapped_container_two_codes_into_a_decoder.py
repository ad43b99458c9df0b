# requires: keras3
# A model that gives two tensors is followed by one that takes one.
from tensorflow import keras


def encoder(width):
    inputs = keras.Input((width,))
    hidden = keras.layers.Dense(8, activation="relu")(inputs)
    mean = keras.layers.Dense(2)(hidden)
    spread = keras.layers.Dense(2)(hidden)
    return keras.Model(inputs, [mean, spread], name="encoder")


def decoder(width):
    return keras.Sequential([keras.Input((2,)), keras.layers.Dense(width)], name="decoder")


def chain(width):
    inputs = keras.Input((width,))
    code = encoder(width)(inputs)  # why: TW306
    return keras.Model(inputs, decoder(width)(code))


chain(6)
