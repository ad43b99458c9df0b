"""A two-layer tanh network starts with zeros everywhere: both kernels keep a gradient of exactly zero for ever.

Only the last bias learns; with a random start of the first kernel the second kernel has a gradient.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(89)
x = tf.constant(rng.normal(size=(60, 2)), tf.float32)
y = tf.constant(np.sin(x.numpy()[:, :1]), tf.float32)

w1 = tf.Variable(tf.zeros([2, 8]), name="w1")
b1 = tf.Variable(tf.zeros([8]), name="b1")
w2 = tf.Variable(tf.zeros([8, 1]), name="w2")  # why: TW205
b2 = tf.Variable(tf.zeros([1]), name="b2")
weights = [w1, b1, w2, b2]


def mlp(batch):
    return tf.tanh(batch @ w1 + b1) @ w2 + b2


for epoch in range(10):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((mlp(x) - y) ** 2)
    gradients = tape.gradient(loss, weights)
    for weight, gradient in zip(weights, gradients):
        weight.assign_sub(0.2 * gradient)
    if epoch % 3 == 0:
        print(epoch, round(float(loss), 5), {v.name: float(tf.norm(g)) for v, g in zip(weights, gradients)})
