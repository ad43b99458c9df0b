"""Discounted returns of an episode, from its last reward backwards."""

import tensorflow as tf


@tf.function
def discounted(rewards, factor):
    steps = tf.shape(rewards)[0]
    returns = tf.TensorArray(tf.float32, size=steps)
    following = tf.constant(0.0)
    for step in tf.range(steps - 1, -1, -1):
        following = rewards[step] + factor * following
        returns = returns.write(step, following)
    return returns.stack()


result = discounted(tf.constant([0.0, 0.0, 1.0]), 0.9)
print(result.numpy())
tf.debugging.assert_near(result, [0.81, 0.9, 1.0])
