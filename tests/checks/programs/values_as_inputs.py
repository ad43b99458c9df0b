"""Functional models that are made of values, and such that are made of symbolic tensors."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def an_array():
    x = np.zeros((4, 8), "float32")  # why: TW301
    return keras.Model(x, layers.Dense(1)(x))


def a_tensor_among_the_inputs():
    inputs = keras.Input((8,))
    side = tf.ones((1, 8))  # why: TW301
    return keras.Model(inputs=[inputs, side], outputs=layers.Dense(1)(layers.Add()([inputs, side])))


def a_constant_beside_the_inputs():
    inputs = keras.Input((8,))
    scale = tf.constant([2.0])
    return keras.Model(inputs, layers.Dense(1)(inputs * scale))


def given_to_the_finished_model():
    x = np.zeros((4, 8), "float32")
    inputs = keras.Input((8,))
    model = keras.Model(inputs, layers.Dense(1)(inputs))
    return model(x)


def a_subclass(network):
    return network.Model(np.zeros((4, 8)), 3)
