"""Writes to tensor arrays whose results nothing takes, and such that are taken."""

import tensorflow as tf


@tf.function
def in_a_traced_loop(x):
    array = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        array.write(i, x * tf.cast(i, tf.float32))  # why: TW507
    return array.stack()


@tf.function
def unrolled(x):
    array = tf.TensorArray(tf.float32, size=2, clear_after_read=False)
    for i in range(2):
        array.write(i, x[i])  # why: TW507
    return array.read(0) + array.read(1)


# Written arrays that are taken, and arrays in eager code.


@tf.function
def taken(x):
    array = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        array = array.write(i, x * tf.cast(i, tf.float32))
    return array.stack()


def eager(x):
    array = tf.TensorArray(tf.float32, size=3)
    for i in tf.range(3):
        array.write(i, x * tf.cast(i, tf.float32))
    return array.stack()


@tf.function
def of_something_else(x, array, make):
    array.write(0, x)
    other = make(3)
    other.write(0, x)
    return array.stack(), other.stack()


@tf.function
def not_read(x):
    array = tf.TensorArray(tf.float32, size=3)
    array.write(0, x)
    return x


@tf.function
def logged(x, path):
    with tf.io.gfile.GFile(path) as file:
        file.write("traced")
    return x
