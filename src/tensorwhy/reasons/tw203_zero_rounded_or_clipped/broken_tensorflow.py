"""Prices near 300 are clipped to at most 1 before the loss: every prediction is cut off, and nothing learns."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(2)
rooms = tf.constant(rng.uniform(2, 6, size=(20, 1)), tf.float32)
prices = 60.0 * rooms
slope = tf.Variable([[40.0]], name="slope")
base = tf.Variable([20.0], name="base")
optimizer = tf.keras.optimizers.SGD(0.01)

for step in range(5):
    with tf.GradientTape() as tape:
        predicted = tf.clip_by_value(rooms @ slope + base, 0.0, 1.0)  # why: TW203
        loss = tf.reduce_mean(tf.abs(predicted - prices))
    grads = tape.gradient(loss, [slope, base])
    optimizer.apply_gradients(zip(grads, [slope, base]))
    print(step, float(loss), [float(tf.norm(grad)) for grad in grads])
