"""Predictions are clipped to [0, 1] before the loss and the targets lie near 100: after the start nothing gets through.

All predictions are above 1, so the gradient of the clip is zero; clipped to [0, 200] the weights change.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(85)
hours = tf.constant(rng.uniform(1, 8, size=(40, 1)), tf.float32)
grades = 12.0 * hours + 5.0

slope = tf.Variable([[3.0]], name="slope")
start = tf.Variable([10.0], name="start")
optimizer = tf.keras.optimizers.SGD(0.01)


def predict(batch):
    raw = tf.matmul(batch, slope) + start
    return tf.clip_by_value(raw, 0.0, 1.0)  # why: TW203


for epoch in range(6):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.abs(predict(hours) - grades))
    gradients = tape.gradient(loss, [slope, start])
    optimizer.apply_gradients(zip(gradients, [slope, start]))
    print(epoch, round(float(loss), 3), slope.numpy().item(), start.numpy().item())
