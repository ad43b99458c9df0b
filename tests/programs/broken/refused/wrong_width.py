"""Two matrices do not fit; the second comes from a helper."""
import tensorflow as tf


def table(rows, columns):
    return tf.random.uniform([rows, columns])


def project(x, matrix):
    return tf.matmul(x, matrix)  # why: TW701


features = table(4, 6)
weights = table(5, 3)
print(project(features, weights))
