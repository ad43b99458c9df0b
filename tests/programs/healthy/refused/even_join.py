"""NumPy joins a table with a column of two axes."""
import numpy as np
import tensorflow as tf


def table(rows):
    values = np.ones((rows, 4), "float32")
    bias = np.ones((rows, 1), "float32")
    return tf.constant(np.concatenate([values, bias], axis=1))


print(table(5).shape)
