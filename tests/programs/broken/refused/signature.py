"""A served function declares vectors and is given a matrix."""
import tensorflow as tf


@tf.function(input_signature=[tf.TensorSpec([None], tf.float32)])
def total(x):
    return tf.reduce_sum(x)


readings = tf.ones([2, 3])
print(total(readings))  # why: TW701
