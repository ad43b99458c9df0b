"""With `watch_accessed_variables=False` only `w` is watched, so the gradient of `b` is None and the update raises.

Watching `b` too gives it a gradient; so does the tape's default.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(1)
x = tf.constant(rng.normal(size=(32, 2)), tf.float32)
y = tf.constant(x.numpy() @ np.array([[1.0], [-2.0]], np.float32) + 0.5)

w = tf.Variable(tf.zeros([2, 1]), name="w")
b = tf.Variable(tf.zeros([1]), name="b")
learning_rate = 0.1

for step in range(20):
    with tf.GradientTape(watch_accessed_variables=False) as tape:  # why: TW101
        tape.watch(w)
        loss = tf.reduce_mean(tf.square(x @ w + b - y))
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(learning_rate * dw)
    b.assign_sub(learning_rate * db)

print("w", w.numpy().ravel(), "b", b.numpy())
