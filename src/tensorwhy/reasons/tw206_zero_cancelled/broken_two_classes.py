"""Tells two classes apart with one unit and a softmax: it gives 1 for every sample, and learns nothing."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(4)
features = tf.constant(rng.normal(size=(32, 4)), tf.float32)
labels = tf.constant(rng.integers(0, 2, size=(32, 1)), tf.float32)
hidden = tf.keras.layers.Dense(8, activation="tanh")
chance = tf.keras.layers.Dense(1, activation="softmax")  # why: TW206
chance(hidden(features))
weights = hidden.trainable_variables + chance.trainable_variables
optimizer = tf.keras.optimizers.SGD(0.1)

for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(chance(hidden(features)) - labels))
    grads = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(grads, weights))
    print(step, float(loss))
