# requires: keras3
import numpy as np
import tensorflow as tf


def normalise(x):
    return (x - np.mean(x)) / np.std(x)  # why: TW302


inputs = tf.keras.Input((6,))
x = normalise(inputs)
outputs = tf.keras.layers.Dense(1)(x)
model = tf.keras.Model(inputs, outputs)
