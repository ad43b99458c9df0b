# requires: keras2
"""Keras 2 style: `optimizer.minimize` with a callable loss, then with a tape, and `get_gradients`-free code."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(116)
rng = np.random.default_rng(116)
x = tf.constant(rng.normal(size=(30, 2)), tf.float32)
y = tf.constant(rng.normal(size=(30, 1)), tf.float32)
w = tf.Variable(tf.zeros([2, 1]), name="w")
b = tf.Variable(tf.zeros([1]), name="b")
optimizer = tf.keras.optimizers.SGD(0.1)


def loss():
    return tf.reduce_mean(tf.square(tf.matmul(x, w) + b - y))


for step in range(4):
    optimizer.minimize(loss, var_list=[w, b])
    print(step, round(float(loss()), 5))

with tf.GradientTape() as tape:
    value = loss()
optimizer.minimize(value, [w, b], tape=tape)
print("after", round(float(loss()), 5))
