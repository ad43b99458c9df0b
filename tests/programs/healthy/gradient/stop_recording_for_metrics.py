"""`stop_recording` only around a metric, `reset` only before the forward pass, and manual watching of everything."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(156)
x = tf.constant(rng.normal(size=(40, 3)), tf.float32)
y = tf.constant(rng.normal(size=(40, 1)), tf.float32)
w = tf.Variable(tf.ones([3, 1]))
b = tf.Variable([0.0])

for step in range(4):
    with tf.GradientTape(watch_accessed_variables=False) as tape:
        warm = tf.reduce_mean(x @ w)
        tape.reset()
        tape.watch([w, b])
        prediction = x @ w + b
        loss = tf.reduce_mean((prediction - y) ** 2)
        with tape.stop_recording():
            median = tf.sort(tf.abs(prediction - y)[:, 0])[20]
    dw, db = tape.gradient(loss, [w, b])
    w.assign_sub(0.1 * dw)
    b.assign_sub(0.1 * db)
    print(step, round(float(loss), 5), round(float(median), 4), round(float(warm), 4))
