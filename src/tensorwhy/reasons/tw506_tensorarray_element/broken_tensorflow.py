"""Discounted returns of an episode, from its last reward backwards."""

import tensorflow as tf


@tf.function
def discounted(rewards, factor):
    steps = tf.shape(rewards)[0]
    returns = tf.TensorArray(tf.int32, size=steps)  # why: TW506
    following = tf.constant(0.0)
    for step in tf.range(steps - 1, -1, -1):
        following = rewards[step] + factor * following
        returns = returns.write(step, following)
    return returns.stack()


print(discounted(tf.constant([0.0, 0.0, 1.0]), 0.9).numpy())
