"""Branches that agree, and Python conditions that need not."""

import tensorflow as tf


def clipped(gradient, limit=1.0):
    return tf.cond(tf.norm(gradient) > limit, lambda: tf.clip_by_norm(gradient, limit), lambda: gradient)


@tf.function
def activation(x, kind, training=None):
    if kind == "relu":
        result = tf.nn.relu(x)
    elif kind == "pair":
        result = (x, x)
    else:
        result = None
    if training:
        x = x + 0.1
    if tf.reduce_sum(x) > 0.0:
        sign = 1.0
    else:
        sign = -1.0
    return result, sign


@tf.function
def choose(index):
    return tf.switch_case(index, [lambda: tf.constant(1.0), lambda: tf.constant(2.0)])


print(clipped(tf.constant([3.0, 4.0])).numpy().tolist())
print(float(activation(tf.constant([-1.0, 2.0]), "relu")[1]), activation(tf.constant([-1.0]), "none")[0])
print(float(choose(tf.constant(1))))
