"""Gradient descent by `w = w - rate * dw`: after the first step `w` is a plain tensor, and the second gradient is None.

`w.assign_sub(rate * dw)` keeps the variable, and the loop goes on.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(47)
x = rng.uniform(0, 10, size=50).astype("float32")
y = 2.5 * x - 1.0 + rng.normal(scale=0.3, size=50).astype("float32")

w = tf.Variable(0.1)
b = tf.Variable(0.0)
rate = 0.01


def loss_of(w, b):
    return tf.reduce_mean((w * x + b - y) ** 2)


for epoch in range(5):
    with tf.GradientTape() as tape:
        loss = loss_of(w, b)
    dw, db = tape.gradient(loss, [w, b])
    w = w - rate * dw  # why: TW112
    b.assign_sub(rate * db)
    print(epoch, float(loss), float(w), float(b))
