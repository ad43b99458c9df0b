"""A program that tries things which fail while tracing, and goes on."""

import tensorflow as tf


@tf.function
def step(x):
    kept.append(x * 2.0)
    return x


kept = []
step(tf.constant(1.0))
try:
    print(kept[0] + 1.0)
except TypeError:
    print("no value here")
try:
    tf.compat.v1.placeholder(tf.float32)
except RuntimeError:
    print("eager")
