"""MAML whose inner step writes the adapted weights with `assign_sub`: the outer gradient does not see that step.

The learned inner rate, which acts only through the assignment, gets None, and the outer update raises; with the
adapted weights as tensors it has a gradient.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(51)
w = tf.Variable([[0.5], [-0.3]], name="w")
inner_rate = tf.Variable(0.1, name="inner_rate")


def sample_task():
    true_w = rng.normal(size=(2, 1)).astype("float32")
    x = rng.normal(size=(20, 2)).astype("float32")
    return x[:10], x[:10] @ true_w, x[10:], x[10:] @ true_w


def error(x, y, weights):
    return tf.reduce_mean((x @ weights - y) ** 2)


for meta_step in range(3):
    x_support, y_support, x_query, y_query = sample_task()
    start = tf.identity(w)
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            support_loss = error(x_support, y_support, w)
        slope = inner.gradient(support_loss, w)
        w.assign_sub(inner_rate * slope)  # why: TW113
        query_loss = error(x_query, y_query, w)
    dw, drate = outer.gradient(query_loss, [w, inner_rate])
    w.assign(start - 0.05 * dw)
    inner_rate.assign_sub(0.001 * drate)
    print(meta_step, float(query_loss), float(inner_rate))
