"""`tf.py_function` is given a float to differentiate by, and an integer: of that TensorFlow can make no zero gradient."""

import tensorflow as tf

weights = tf.Variable([1.0, 2.0, 3.0])


def largest(values, count):
    return tf.reduce_sum(tf.sort(values)[-int(count) :])


with tf.GradientTape() as tape:
    loss = tf.py_function(largest, [weights, tf.constant(2)], tf.float32)  # why: TW111
print(tape.gradient(loss, weights))
