"""TensorFlow functions on symbolic Keras tensors, in a file that Keras 2 can run as well."""

import tensorflow as tf
from keras import Input, layers

try:
    from keras import ops
except ImportError:
    ops = None


def summed():
    x = layers.Dense(8)(Input((8,)))
    if ops is None:
        return tf.reduce_sum(x, axis=-1)
    return ops.sum(x, axis=-1)
