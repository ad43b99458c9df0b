"""NumPy joins a table with a column that has no second axis, on the way to a tensor."""
import numpy as np
import tensorflow as tf


def table(rows):
    values = np.ones((rows, 4), "float32")
    bias = np.ones(rows, "float32")
    return tf.constant(np.concatenate([values, bias], axis=1))  # why: TW701


print(table(5))
