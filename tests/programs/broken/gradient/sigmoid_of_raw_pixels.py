"""Pixels from 0 to 255 go straight into a sigmoid: it is exactly 1 everywhere, and the gradient of the kernel is zero.

Divided by 255, the same pixels give a gradient.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(83)
images = tf.constant(rng.integers(100, 256, size=(32, 49)), tf.float32)
labels = tf.constant(rng.integers(0, 2, size=(32, 1)), tf.float32)

kernel = tf.Variable(tf.fill([49, 6], 0.05))
readout = tf.Variable(tf.random.stateless_normal([6, 1], seed=[1, 2]))


def network(batch):
    hidden = tf.sigmoid(batch @ kernel)  # why: TW202
    return hidden @ readout


for epoch in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(network(images) - labels))
    d_kernel, d_readout = tape.gradient(loss, [kernel, readout])
    kernel.assign_sub(0.01 * d_kernel)
    readout.assign_sub(0.01 * d_readout)
    print(epoch, round(float(loss), 4), "kernel gradient", float(tf.reduce_max(tf.abs(d_kernel))))
