"""Forward-mode derivatives agree with reverse mode, and a Hessian-vector product by forward over reverse."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(136)
x = tf.constant(rng.normal(size=(4, 5)), tf.float32)
direction = tf.constant(rng.normal(size=(4, 5)), tf.float32)
kernel = tf.Variable(rng.normal(size=(5, 3)) * 0.4, dtype=tf.float32)


def energy(inputs):
    return tf.reduce_sum(tf.tanh(inputs @ kernel) ** 2)


with tf.autodiff.ForwardAccumulator(primals=x, tangents=direction) as accumulator:
    y = energy(x)
forward = accumulator.jvp(y)
with tf.GradientTape() as tape:
    tape.watch(x)
    y = energy(x)
reverse = tf.reduce_sum(tape.gradient(y, x) * direction)
print("agree", bool(abs(float(forward) - float(reverse)) < 1e-3))

with tf.autodiff.ForwardAccumulator(kernel, tf.ones_like(kernel)) as accumulator:
    with tf.GradientTape() as tape:
        y = energy(x)
    gradient = tape.gradient(y, kernel)
print("hvp", accumulator.jvp(gradient).shape)
