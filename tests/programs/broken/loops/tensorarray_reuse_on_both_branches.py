"""Rewards are written into an array on either branch, and both results are dropped: one finding."""

import tensorflow as tf


@tf.function
def rewards(positions):
    steps = tf.shape(positions)[0]
    found = tf.TensorArray(tf.float32, size=steps)
    for step in tf.range(steps):
        if positions[step] > 0.0:
            found.write(step, 1.0)  # why: TW507
        else:
            found.write(step, -1.0)
    return found.stack()


print(rewards(tf.constant([0.5, -0.5, 2.0])).numpy())
