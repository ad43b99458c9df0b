"""Losses are added in a loop, but the sum is thrown away."""

import numpy as np
import tensorflow as tf

layers = [tf.keras.layers.Dense(4, activation="tanh") for _ in range(2)]
model = tf.keras.Sequential([tf.keras.Input((3,)), *layers])
optimizer = tf.keras.optimizers.SGD(0.1)


def total_loss(outputs, wanted):
    total = tf.constant(0.0)
    for row in range(outputs.shape[0]):
        error = tf.reduce_sum(tf.square(outputs[row] - wanted[row]))
        tf.add(total, error)  # why: TW115
    return total / outputs.shape[0]


rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(5, 3)), tf.float32)
y = tf.constant(rng.normal(size=(5, 4)), tf.float32)
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = total_loss(model(x), y)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
