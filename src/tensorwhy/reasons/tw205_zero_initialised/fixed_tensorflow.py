"""One factor of a low-rank product starts at zero, the other with random numbers: both learn."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = tf.constant(rng.normal(size=(24, 6)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
down = tf.Variable(tf.random.stateless_normal([6, 2], seed=[1, 2]), name="down")
up = tf.Variable(tf.zeros([2, 1]), name="up")
bias = tf.Variable([0.5], name="bias")
weights = [down, up, bias]

for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x @ down, up) + bias - y))
    grads = tape.gradient(loss, weights)
    for weight, grad in zip(weights, grads):
        weight.assign_sub(0.05 * grad)
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
assert all(float(tf.norm(grad)) > 0 for grad in grads)
