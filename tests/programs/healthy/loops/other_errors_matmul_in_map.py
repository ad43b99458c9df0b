"""Ends in an ordinary shape error, inside a mapped function: not for tensorwhy to explain."""

import tensorflow as tf


def project(row):
    return tf.linalg.matvec(tf.ones([2, 4]), row)


@tf.function
def run(rows):
    return tf.map_fn(project, rows)


run(tf.ones([3, 5]))
