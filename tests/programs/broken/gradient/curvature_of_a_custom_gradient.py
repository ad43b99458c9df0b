"""Asks for the second derivative of a function whose backward function keeps its argument as a constant."""

import tensorflow as tf


@tf.custom_gradient
def softened(x):
    def backward(upstream):
        return upstream * 2.0

    return 2.0 * x + 0.1 * x * x, backward


points = tf.constant([0.5, 1.0, 2.0])
with tf.GradientTape() as outer:
    outer.watch(points)
    with tf.GradientTape() as inner:
        inner.watch(points)
        value = softened(points)  # why: TW107
    slope = inner.gradient(value, points)
bend = outer.gradient(slope, points)
loss = tf.reduce_sum(bend)
