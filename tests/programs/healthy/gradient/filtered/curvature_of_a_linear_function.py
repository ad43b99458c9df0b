"""A solver for any right-hand side: that of a linear one has no curvature, which counts as zero."""

import tensorflow as tf


def curvature(function, x):
    with tf.GradientTape() as outer:
        outer.watch(x)
        with tf.GradientTape() as inner:
            inner.watch(x)
            y = function(x)
        slope = inner.gradient(y, x)
    bend = outer.gradient(slope, x)
    return tf.zeros_like(x) if bend is None else bend


x = tf.constant([1.0, 2.0])
for function in (lambda v: 3.0 * v, lambda v: v**2, lambda v: tf.sin(v)):
    print(curvature(function, x).numpy())
