import functools

import tensorflow as tf


@functools.cache
def positions(length, depth):
    steps = tf.cast(tf.range(length), tf.float32)[:, None]
    rates = tf.pow(10000.0, -tf.range(0.0, 1.0, 1.0 / depth))[None, :]
    return tf.sin(steps * rates)  # why: TW403


def encode(x):
    return x + positions(x.shape[1], x.shape[2])
