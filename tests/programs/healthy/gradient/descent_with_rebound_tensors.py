"""Gradient descent that rebinds `w` to a tensor in each step: healthy, because each tape watches it."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(147)
x = tf.constant(rng.normal(size=(40, 3)), tf.float32)
y = x @ tf.constant([[1.0], [-1.0], [0.5]])
w = tf.Variable(tf.zeros([3, 1]))
w = tf.convert_to_tensor(w)

for step in range(5):
    with tf.GradientTape() as tape:
        tape.watch(w)
        loss = tf.reduce_mean((x @ w - y) ** 2)
    w = w - 0.3 * tape.gradient(loss, w)
    print(step, round(float(loss), 5))
print(w.numpy().ravel().round(3).tolist())
