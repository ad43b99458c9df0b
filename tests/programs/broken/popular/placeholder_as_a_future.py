# A placeholder of TensorFlow 1 in a program that runs eagerly.
import tensorflow as tf


@tf.function
def total(values):
    return tf.reduce_sum(values)


pending = tf.compat.v1.placeholder(dtype=tf.float32, shape=[None])  # why: TW407
pending = tf.constant([1.0, 2.0, 3.0])
print(total(pending))
