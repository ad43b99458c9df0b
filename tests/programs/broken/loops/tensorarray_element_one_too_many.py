"""Integrate a signal and keep the start value too."""

import tensorflow as tf


def empty(steps):
    return tf.TensorArray(tf.float32, size=steps)  # why: TW506


def integrate(signal, sums):
    total = tf.constant(0.0)
    sums = sums.write(0, total)
    for step in tf.range(tf.shape(signal)[0]):
        total += signal[step]
        sums = sums.write(step + 1, total)
    return sums.stack()


@tf.function
def run(signal):
    return integrate(signal, empty(tf.shape(signal)[0]))


print(run(tf.ones([4])))
