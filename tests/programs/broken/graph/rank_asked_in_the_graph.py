"""Normalizes matrices by their rows and vectors as a whole; the rank is asked as a tensor."""

import tensorflow as tf

weights = [tf.Variable(tf.ones([3, 4])), tf.Variable(tf.ones([4]))]


def unit(gradient):
    if tf.rank(gradient) == 2:  # why: TW409
        return gradient / tf.norm(gradient, axis=1, keepdims=True)
    return gradient / tf.norm(gradient)


@tf.function
def step():
    for weight in weights:
        weight.assign_sub(0.1 * unit(weight))


step()
