# requires: keras3
"""A function in a `Lambda` names an argument that the operation does not have; Keras asks for an output shape."""
import keras
from keras import ops


def likeness(pair):
    return ops.matmul(pair[0], pair[1], transpose=True)  # why: TW701


def towers(width):
    left, right = keras.Input((None, width)), keras.Input((None, width))
    found = keras.layers.Lambda(lambda pair: likeness(pair) / width)([left, right])
    return keras.Model([left, right], found)


towers(8).summary()
