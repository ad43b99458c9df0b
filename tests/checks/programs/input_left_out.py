"""Functional models that lack an input of theirs, and such that have all they need."""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers
from tensorflow.keras.layers import Concatenate, Dense, Input
from tensorflow.keras.models import Model


def one_of_two():
    image = Input((8,))
    text = Input((5,))
    joined = Concatenate()([image, text])
    return Model(inputs=image, outputs=Dense(1)(joined))  # why: TW305


def the_label_is_forgotten(block):
    image, label = Input((8,)), Input((1,))
    hidden = Dense(8)(layers.concatenate([block(image), label]))
    return keras.Model([image], hidden)  # why: TW305


def in_arithmetic():
    image, scale = Input((8,)), Input((8,))
    return Model(image, Dense(1)(image * scale))  # why: TW305


def made_twice():
    inputs = Input((8,))
    hidden = Dense(4)(inputs)
    inputs = Input((8,))  # why: TW305
    return Model(inputs, hidden)


def behind_a_nested_model():
    tower = keras.Sequential([Dense(4), Dense(2)])
    left, right = Input((8,)), Input((8,))
    return tf.keras.Model(left, layers.Subtract()([tower(left), tower(right)]))  # why: TW305


def both():
    image, text = Input((8,)), Input((5,))
    joined = Concatenate()([image, text])
    return Model(inputs={"image": image, "text": text}, outputs=Dense(1)(joined))


def one_input_too_many():
    image, text = Input((8,)), Input((5,))
    return Model([image, text], Dense(1)(image))


def from_the_middle_on():
    image = Input((8,))
    hidden = Dense(4)(image)
    return Model(hidden, Dense(1)(hidden))


def inputs_in_a_list_that_grows(widths):
    inputs = []
    found = []
    for width in widths:
        each = Input((width,))
        inputs.append(each)
        found.append(Dense(4)(each))
    return Model(inputs, Concatenate()(found))


def inputs_from_elsewhere(inputs):
    side = Input((5,))
    return Model([*inputs, side], Concatenate()([*inputs, side]))


def the_last_of_a_loop(widths):
    for width in widths:
        inputs = Input((width,))
        x = Dense(4)(inputs)
    return Model(inputs, x)


def perhaps_another_one(wide):
    inputs = Input((8,))
    x = Dense(4)(inputs)
    if wide:
        inputs = Input((80,))
        x = Dense(4)(inputs)
    return Model(inputs, x)


def a_layer_that_is_shared():
    shared = Dense(4)
    left, right = Input((8,)), Input((8,))
    shared(left)
    return Model(right, shared(right))


def of_another_tensor(tensor):
    inputs = Input(tensor=tensor)
    return Model(inputs, Dense(4)(Input(tensor=tensor)))
