"""Symbolic Keras tensors that are asked for values, and things that look like it."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def its_numbers():
    x = layers.Dense(8)(keras.Input((8,)))
    print(x.numpy())  # why: TW303
    return layers.Dense(1)(x)


def as_a_number():
    x = layers.Dense(1)(keras.Input((8,)))
    return float(x)  # why: TW303


def with_numpy():
    x = layers.Dense(8)(keras.Input((8,)))
    return layers.Dense(1)(np.exp(x))  # why: TW302


def joined_by_numpy():
    left, right = keras.Input((8,)), keras.Input((8,))
    return np.concatenate([left, right], axis=-1)  # why: TW302


def by_a_method_of_arrays():
    x = layers.Conv1D(4, 2)(keras.Input((8, 3)))
    return layers.Dense(1)(x.flatten())  # why: TW302


def decided():
    x = layers.Dense(1)(keras.Input((8,)))
    if x > 0:  # why: TW302
        return x
    return -x


def states_that_are_not_given():
    x = keras.Input((5, 3))
    output, hidden, cell = layers.LSTM(8)(x)  # why: TW302
    return output, hidden, cell


def in_a_loop():
    found = []
    x = layers.Dense(8)(keras.Input((5, 3)))
    for each in x:  # why: TW302
        found.append(each)
    return found


def a_part_overwritten():
    x = layers.Dense(8)(keras.Input((8,)))
    x[0] = 0.0  # why: TW302
    return x


def its_length():
    return len(keras.Input((8,)))  # why: TW302


def states_that_are_given():
    x = keras.Input((5, 3))
    output, hidden, cell = layers.LSTM(8, return_state=True)(x)
    return output, hidden, cell


def of_a_known_size():
    x = layers.Dense(8)(keras.Input((5,), batch_size=2))
    first, second = x
    return first, second


def what_the_model_gives(data):
    inputs = keras.Input((8,))
    model = keras.Model(inputs, layers.Dense(1)(inputs))
    x = model(data)
    return float(x[0, 0]), np.exp(x), x.numpy()


def its_shape(x):
    x = layers.Dense(8)(keras.Input((8,)))
    if x is None or x.shape[-1] > 4:
        return len(x.shape), tuple(x.shape)
    return x + np.ones(8)


def in_a_layer():
    return layers.Lambda(lambda t: tf.numpy_function(np.exp, [t], t.dtype))(keras.Input((8,)))
