"""A conditional expression asks a tensor, so both of its parts are traced, and they give lists of other lengths."""
import tensorflow as tf


def parts(scores):
    return tf.unstack(scores) if tf.size(scores) > 0 else []  # why: TW701


@tf.function
def best(scores):
    found = tf.constant(0.1)
    for each in parts(scores):
        found = tf.maximum(found, each)
    return found


print(best(tf.constant([0.2, 0.7, 0.4])))
