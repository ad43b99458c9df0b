"""TensorFlow functions on symbolic Keras tensors, in a file that needs Keras 3."""

import tensorflow as tf
from keras import Input, Model, layers, ops


def summed():
    x = layers.Dense(8)(Input((8,)))
    return tf.reduce_sum(x, axis=-1)  # why: TW302


def joined():
    left, right = Input((8,)), Input((8,))
    return Model([left, right], tf.concat([left, right], axis=-1))  # why: TW302


def by_keras():
    x = layers.Dense(8)(Input((8,)))
    return ops.sum(x, axis=-1) + tf.reduce_sum(tf.ones(8))


def in_a_function(x):
    return tf.reduce_sum(x)


def in_a_layer():
    return layers.Lambda(lambda t: tf.reduce_sum(t, axis=-1), output_shape=())(Input((8,)))
