"""Losses of single samples are collected with `float(...)` and averaged: the average is a constant, gradients are None.

With the tensors themselves in the list (`tf.stack`) the gradients exist.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(40)
tf.keras.utils.set_random_seed(40)
x = rng.normal(size=(12, 3)).astype("float32")
y = rng.integers(0, 2, size=(12, 1)).astype("float32")
weights = rng.uniform(0.5, 1.5, size=12)

model = tf.keras.Sequential([tf.keras.layers.Dense(5, activation="relu"), tf.keras.layers.Dense(1)])
loss_object = tf.keras.losses.BinaryCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(0.01)


def weighted_loss(batch, labels):
    outputs = model(batch)
    losses = []
    for i in range(len(batch)):
        sample_loss = loss_object(labels[i : i + 1], outputs[i : i + 1])
        losses.append(weights[i] * float(sample_loss))  # why: TW110
    return tf.reduce_mean(tf.convert_to_tensor(losses, dtype=tf.float32))


for epoch in range(3):
    with tf.GradientTape() as tape:
        loss_value = weighted_loss(x, y)
    grads = tape.gradient(loss_value, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    print(epoch, float(loss_value))
