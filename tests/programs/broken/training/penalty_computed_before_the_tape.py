"""A penalty on the weights is added to the loss, and computed before the tape is opened: it holds nothing back."""

import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


def size_of_weights():
    return tf.add_n([tf.reduce_sum(tf.square(each)) for each in model.trainable_variables])  # why: TW102


@tf.function
def step(batch, wanted):
    penalty = size_of_weights()
    with tf.GradientTape() as tape:
        error = tf.reduce_mean(tf.square(model(batch, training=True) - wanted))
        loss = error + 0.1 * penalty
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for epoch in range(4):
    for start in range(0, 64, 16):
        step(features[start : start + 16], labels[start : start + 16])
