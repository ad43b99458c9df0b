"""A loop over many numbers at once goes on by a condition for each of them."""

import tensorflow as tf


def newton(x0, f, df, tol=1e-4):
    def cond(x, i):
        return tf.abs(f(x)) > tol  # why: TW504

    def body(x, i):
        return x - f(x) / df(x), i + 1

    return tf.while_loop(cond, body, [x0, tf.constant(0)])[0]


@tf.function
def roots(x):
    return newton(x, lambda v: v * v - 2.0, lambda v: 2.0 * v)


print(roots(tf.constant([1.0, 2.0, 3.0])))
