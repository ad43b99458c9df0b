"""Sums with terms from before the tape, all of them right: an older loss to compare with, a stopped term, a total."""

import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)


def error_of(batch, wanted):
    return tf.reduce_mean(tf.square(model(batch, training=True) - wanted))


@tf.function
def step(batch, wanted):
    before = error_of(batch, wanted)
    stopped = tf.stop_gradient(tf.add_n([tf.reduce_sum(tf.square(each)) for each in model.trainable_variables]))
    with tf.GradientTape() as tape:
        weights = tf.add_n([tf.reduce_sum(tf.square(each)) for each in model.trainable_variables])
        loss = error_of(batch, wanted) - before + 0.1 * weights + 0.0 * stopped
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


total = tf.constant(0.0)
for epoch in range(4):
    for start in range(0, 64, 16):
        with tf.GradientTape() as tape:
            total = total + error_of(features[start : start + 16], labels[start : start + 16])
        gradients = tape.gradient(total, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
        step(features[start : start + 16], labels[start : start + 16])
assert np.isfinite(float(total))
