"""Gradients leave as a flat NumPy vector for a line search outside TensorFlow, and parameters come back by `assign`."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(161)
x = tf.constant(rng.normal(size=(30, 3)), tf.float64)
y = tf.constant(rng.normal(size=(30, 1)), tf.float64)
variables = [tf.Variable(rng.normal(size=(3, 1))), tf.Variable(np.zeros(1))]


def put(flat):
    position = 0
    for variable in variables:
        size = int(np.prod(variable.shape))
        variable.assign(flat[position : position + size].reshape(variable.shape))
        position += size


def value_and_gradient(flat):
    put(flat)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((x @ variables[0] + variables[1] - y) ** 2)
    gradients = tape.gradient(loss, variables)
    return float(loss), np.concatenate([g.numpy().ravel() for g in gradients])


point = np.concatenate([v.numpy().ravel() for v in variables])
for step in range(5):
    value, slope = value_and_gradient(point)
    rate = 1.0
    while value_and_gradient(point - rate * slope)[0] > value - 1e-4 * rate * slope @ slope:
        rate *= 0.5
    point = point - rate * slope
    print(step, round(value, 5), rate)
