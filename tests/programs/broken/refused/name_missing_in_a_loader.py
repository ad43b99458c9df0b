"""A loader that a dataset runs fails in the program's own line, on a thread of TensorFlow's."""

import numpy as np
import tensorflow as tf

SIZES = {0: 3.0, 1: 4.0}


def size(number):
    return np.float32(SIZES[int(number)])  # why: TW701


sizes = tf.data.Dataset.range(3).map(lambda n: tf.ensure_shape(tf.numpy_function(size, [n], tf.float32), ()))
model = tf.keras.Sequential([tf.keras.Input((1,)), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(sizes.map(lambda s: (s[None, None], s[None, None])), verbose=0)
