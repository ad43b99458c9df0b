"""Lists of symbolic tensors for layers that take one, and for such that take several."""

from tensorflow import keras
from tensorflow.keras import layers


def not_joined():
    left, right = keras.Input((8,)), keras.Input((8,))
    return layers.Dense(4)([left, right])  # why: TW306


def output_and_states():
    inputs = keras.Input((10, 4))
    encoded = layers.LSTM(8, return_state=True)(inputs)  # why: TW306
    return layers.Dense(1)(encoded)


def joined():
    left, right = keras.Input((8,)), keras.Input((8,))
    return layers.Dense(4)(layers.Concatenate()([left, right]))


def taken_apart():
    inputs = keras.Input((10, 4))
    encoded, *states = layers.LSTM(8, return_state=True)(inputs)
    first = layers.LSTM(8, return_state=True)(inputs)[0]
    return layers.Dense(1)(encoded), layers.Dense(1)(first), layers.LSTM(8)(inputs, initial_state=states)


def one_after_the_other():
    inputs = keras.Input((10, 4))
    encoded = layers.GRU(8, return_state=True, return_sequences=True)(inputs)
    return layers.GRU(8)(encoded)


def perhaps_with_states(states):
    inputs = keras.Input((10, 4))
    return layers.Dense(1)(layers.LSTM(8, return_state=states)(inputs))


def dropped_each():
    left, right = keras.Input((8,)), keras.Input((8,))
    return layers.Dropout(0.5)([left, right]), layers.Softmax()(left)
