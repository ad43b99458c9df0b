"""Running means of a signal, collected in a loop of the graph."""

import tensorflow as tf


@tf.function
def running_means(signal):
    steps = tf.shape(signal)[0]
    means = tf.TensorArray(tf.float32, size=steps, element_shape=[])
    total = tf.constant(0.0)
    for step in tf.range(steps):
        total += signal[step]
        means.write(step, total / tf.cast(step + 1, tf.float32))  # why: TW507
    return means.stack()


print(running_means(tf.constant([2.0, 4.0, 6.0])).numpy())
