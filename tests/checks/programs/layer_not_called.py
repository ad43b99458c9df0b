"""Layers and models that are given where tensors are needed, and such that are given where they belong."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.layers import Dense, Dropout, Input


def the_second_layer_is_not_called():
    inputs = keras.Input((8,))
    x = Dense(16)(inputs)
    x = Dropout(0.5)  # why: TW306
    outputs = Dense(1)(x)
    return keras.Model(inputs, outputs)


def in_a_list_of_tensors(inputs):
    side = layers.Dense(8)(inputs)
    return layers.Add()([side, layers.Dense(8)])  # why: TW306


def a_layer_as_output():
    inputs = Input((8,))
    score = Dense(1, activation="sigmoid")  # why: TW306
    return keras.Model(inputs=inputs, outputs=score)


def one_of_several_outputs():
    inputs = Input((8,))
    score = Dense(1)(inputs)
    return tf.keras.Model(inputs=inputs, outputs=[score, Dense(3)])  # why: TW306


def a_model_in_place_of_its_output():
    base = keras.Sequential([layers.Dense(8), layers.ReLU()])
    return layers.Dense(1)(base)  # why: TW306


def a_layer_that_was_called_before(first):
    shared = Dense(8)
    second = shared(first)
    return Dense(1)(shared), second  # why: TW306


def called_where_it_is_made():
    inputs = keras.Input((8,))
    x = Dense(16)(inputs)
    x = Dropout(0.5)(x)
    return keras.Model(inputs, Dense(1)(x))


def called_by_name_and_shared(left, right):
    tower = Dense(8)
    head = Dense(1)
    return layers.Subtract()([tower(left), tower(right)]), head(tower(left))


def perhaps_called(inputs, deep):
    x = Dense(8)
    if deep:
        x = x(inputs)
    return Dense(1)(x)


def wrapped(inputs):
    each = Dense(8)
    x = layers.TimeDistributed(each)(inputs)
    return layers.Bidirectional(layers.LSTM(4))(x)


def the_output_of_a_model():
    base = keras.Sequential([layers.Dense(8, input_shape=(4,)), layers.ReLU()])
    return layers.Dense(1)(base.output)


def in_a_model_that_calls_them():
    head = Dense(1)
    return keras.Sequential([Dense(8), head])


def a_function_that_is_given_a_layer(inputs, wrap):
    x = Dense(8)
    x = wrap(x)
    return Dense(1)(x)


def what_is_expected_to_fail(self):
    with self.assertRaises(ValueError):
        Dense(1)(Dense(2))


def a_lambda_may_take_anything():
    return layers.Lambda(lambda given: given)(Dense(2))


def expected_to_fail_where_it_is_called():
    return Dense(1)(Dense(2))


def tries_it():
    try:
        expected_to_fail_where_it_is_called()
    except ValueError:
        return True
    return False
