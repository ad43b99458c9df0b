"""Constructors of layers that are given tensors, and tensors that are given to finished layers."""

from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.layers import Add, Concatenate, Flatten


def a_list_of_tensors():
    left, right = keras.Input((8,)), keras.Input((8,))
    return Add([left, right])  # why: TW306


def with_a_tensor_that_comes_from_elsewhere(block):
    inputs = keras.Input((8,))
    return Add([inputs, block(inputs)])  # why: TW306


def one_tensor():
    inputs = keras.Input((8, 8, 3))
    x = layers.Conv2D(4, 3)(inputs)
    return Flatten(x)  # why: TW306


def made_and_called():
    left, right = keras.Input((8,)), keras.Input((8,))
    return Concatenate()([Add()([left, right]), Flatten()(left)])


def the_function_of_the_same_name():
    left, right = keras.Input((8,)), keras.Input((8,))
    return layers.add([left, right])


def unknown_things(left, right):
    return Add([left, right])


def an_axis():
    left, right = keras.Input((8,)), keras.Input((8,))
    return Concatenate(-1)([left, right]), layers.Dot([1, 1])([left, right])
