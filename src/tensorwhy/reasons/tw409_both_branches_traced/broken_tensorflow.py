"""A step that is to stop when its loss is no longer finite."""

import tensorflow as tf

weight = tf.Variable(1.0)


@tf.function
def step(x):
    loss = tf.reduce_mean(tf.square(weight * x))
    if not tf.math.is_finite(loss):
        raise FloatingPointError("the loss is not finite")  # why: TW409
    weight.assign_sub(0.1 * loss)
    return loss


print(step(tf.constant([1.0, 2.0])))
