"""A step that stops when its loss is no longer finite: the graph itself checks it."""

import tensorflow as tf

weight = tf.Variable(1.0)


@tf.function
def step(x):
    loss = tf.reduce_mean(tf.square(weight * x))
    loss = tf.debugging.assert_all_finite(loss, "the loss is not finite")
    weight.assign_sub(0.1 * loss)
    return loss


print(step(tf.constant([1.0, 2.0])))
assert weight.numpy() < 1.0
