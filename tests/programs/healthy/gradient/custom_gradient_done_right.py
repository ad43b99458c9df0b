"""A custom gradient with two arguments, one with a variable, and a clipped identity: all answer for all inputs."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(137)


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)

    def grad(upstream):
        return upstream * (1 - 1 / (1 + e))

    return tf.math.log(1 + e), grad


@tf.custom_gradient
def scaled(x, factor):
    def grad(upstream):
        return upstream * factor, tf.reduce_sum(upstream * x)

    return x * factor, grad


@tf.custom_gradient
def clipped(x):
    return tf.identity(x), lambda upstream: tf.clip_by_value(upstream, -0.5, 0.5)


w = tf.Variable(rng.normal(size=(3,)), dtype=tf.float32)
s = tf.Variable(1.5)
for step in range(3):
    with tf.GradientTape() as tape:
        y = tf.reduce_sum(log1pexp(scaled(clipped(w * 2.0), tf.convert_to_tensor(s))))
    dw, ds = tape.gradient(y, [w, s])
    w.assign_sub(0.1 * dw)
    s.assign_sub(0.1 * ds)
    print(step, round(float(y), 4), np.round(dw.numpy(), 3).tolist(), round(float(ds), 3))
