# requires: keras3
"""A helper compiles the model for its metrics, and forgets the loss that `fit` needs."""

import numpy as np
import tensorflow as tf


def prepared(width):
    net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(width)])
    net.compile(optimizer="sgd", metrics=["mae"])  # why: TW701
    return net


prepared(2).fit(np.ones((8, 4)), np.ones((8, 2)), verbose=0)
