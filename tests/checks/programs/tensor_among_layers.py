"""Sequential models and wrappers that are given tensors, and such that are given layers."""

from tensorflow import keras
from tensorflow.keras import Sequential, layers


def a_layer_that_was_called():
    inputs = keras.Input((8,))
    return Sequential([layers.Dense(4)(inputs), layers.Dense(1)])  # why: TW306


def added_later():
    inputs = keras.Input((8,))
    hidden = layers.Dense(4)(inputs)
    model = Sequential()
    model.add(hidden)  # why: TW306
    return model


def wrapped():
    inputs = keras.Input((8, 3))
    return layers.TimeDistributed(layers.Dense(4)(inputs))  # why: TW306


def layers_and_an_input():
    model = keras.Sequential([keras.Input((8,)), layers.Dense(4)])
    model.add(layers.Dense(1))
    return model


def an_input_by_name():
    start = layers.Input((8,))
    model = Sequential()
    model.add(start)
    return model


def a_list_that_is_no_model(found):
    inputs = keras.Input((8,))
    found.add(layers.Dense(4)(inputs))
    return [layers.Dense(4)(inputs), layers.Dense(1)]


def a_layer_in_a_wrapper():
    inputs = keras.Input((8, 3))
    return layers.TimeDistributed(layers.Dense(4))(inputs)
