# A row of the data that is no number, in a function that the dataset calls.
import numpy as np
import tensorflow as tf


def parse(line):
    parts = line.numpy().decode().split(",")
    return np.array([float(part) for part in parts], "float32")  # why: TW701


lines = tf.data.Dataset.from_tensor_slices(["1,2", "3,x"])
for row in lines.map(lambda line: tf.py_function(parse, [line], tf.float32)):
    print(row.numpy())
