"""A hidden layer starts with a bias of -50: its ReLU is zero for every sample, and its kernel never gets a gradient."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(32, 3)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
kernel = tf.Variable(tf.random.stateless_normal([3, 8], seed=[1, 2]), name="kernel")
bias = tf.Variable(tf.fill([8], -50.0), name="bias")
readout = tf.Variable(tf.random.stateless_normal([8, 1], seed=[3, 4]), name="readout")
offset = tf.Variable([0.0], name="offset")
weights = [kernel, bias, readout, offset]

for step in range(5):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(x @ kernel + bias)  # why: TW201
        loss = tf.reduce_mean(tf.square(hidden @ readout + offset - y))
    grads = tape.gradient(loss, weights)
    for weight, grad in zip(weights, grads):
        weight.assign_sub(0.01 * grad)
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
