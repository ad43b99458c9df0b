"""A generator yields rows of three where its signature says four."""

import numpy as np
import tensorflow as tf


def rows():
    for number in range(4):
        yield np.full((3,), number, "float32"), number  # why: TW701


signature = (tf.TensorSpec((4,), tf.float32), tf.TensorSpec((), tf.int32))
for row, number in tf.data.Dataset.from_generator(rows, output_signature=signature):
    print(row, number)
