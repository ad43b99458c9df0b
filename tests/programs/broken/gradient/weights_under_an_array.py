# requires: keras3
"""An array stands left of a Keras weight: NumPy multiplies, with the weight's value, before the weight is asked."""

import numpy as np
import tensorflow as tf

layer = tf.keras.layers.Dense(2)
layer.build((None, 3))
samples = np.ones((4, 3), "float32")


def project(values):
    return values @ layer.kernel  # why: TW110


with tf.GradientTape() as tape:
    loss = tf.reduce_mean(project(samples) ** 2)
gradient = tape.gradient(loss, layer.kernel)
layer.kernel.assign_sub(0.1 * gradient)
