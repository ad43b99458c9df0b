"""A tf.function returns two heads, and the loss uses both."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(6)
x = tf.constant(rng.normal(size=(16, 4)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
mean = tf.Variable(tf.random.stateless_normal([4, 1], seed=[1, 2]), name="mean")
spread = tf.Variable(tf.random.stateless_normal([4, 1], seed=[3, 4]), name="spread")


@tf.function
def forward(batch):
    centre = batch @ mean
    return centre, tf.exp(batch @ spread)


for step in range(5):
    with tf.GradientTape() as tape:
        centre, width = forward(x)
        loss = tf.reduce_mean(tf.square(centre - y) + 0.01 * width)
    grads = tape.gradient(loss, [mean, spread])
    mean.assign_sub(0.01 * grads[0])
    spread.assign_sub(0.01 * grads[1])
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
assert all(float(tf.norm(grad)) > 0 for grad in grads)
