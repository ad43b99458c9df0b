"""Two factors of a low-rank product both start at zero: the gradient of each is a product with the other's zeros."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
x = tf.constant(rng.normal(size=(24, 6)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
down = tf.Variable(tf.zeros([6, 2]), name="down")
up = tf.Variable(tf.zeros([2, 1]), name="up")  # why: TW205
bias = tf.Variable([0.5], name="bias")
weights = [down, up, bias]

for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(tf.matmul(x @ down, up) + bias - y))
    grads = tape.gradient(loss, weights)
    for weight, grad in zip(weights, grads):
        weight.assign_sub(0.05 * grad)
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
