# requires: keras3
"""An optimizer with a loss scale divides the gradients of a loss that nobody multiplied by it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
features = np.random.default_rng(0).normal(size=(128, 4)).astype("float32")
labels = features.sum(axis=1, keepdims=True)
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.LossScaleOptimizer(tf.keras.optimizers.SGD(0.01))  # why: TW604


@tf.function
def step(batch, wanted):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch, training=True) - wanted))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))


for epoch in range(6):
    for start in range(0, 128, 16):
        step(features[start : start + 16], labels[start : start + 16])
