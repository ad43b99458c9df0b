# Functions with custom gradients get their tensors by position, and options by keyword, or nothing but options.
import tensorflow as tf


@tf.custom_gradient
def reverse(features, strength=1.0, offset=None):
    def grad(upstream):
        return -strength * upstream

    return tf.identity(features) + (0.0 if offset is None else offset), grad


@tf.custom_gradient
def noise(size=3):
    def grad(upstream):
        return ()

    return tf.ones(size), grad


x = tf.Variable(tf.ones((2, 3)))
for _ in range(2):
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((reverse(x, strength=0.1, offset=tf.constant(1.0)) + noise(size=3)) ** 2)
    x.assign_sub(0.1 * tape.gradient(loss, x))
