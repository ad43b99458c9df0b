"""TensorFlow functions on symbolic tensors of Keras 2, beside operations of Keras 3."""

import tensorflow as tf
from keras import ops
from tf_keras import Input, layers


def summed():
    x = layers.Dense(8)(Input((8,)))
    return tf.reduce_sum(x, axis=-1), ops.ones(3)
