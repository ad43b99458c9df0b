"""NumPy made doubles, and the traced step has floats."""
import numpy as np
import tensorflow as tf

scale = tf.constant(np.linspace(0.0, 1.0, 4))


@tf.function
def weighted(x):
    return tf.multiply(x, scale)  # why: TW701


print(weighted(tf.ones([4])))
