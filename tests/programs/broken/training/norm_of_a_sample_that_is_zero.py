"""One sample of a shuffled dataset is zero: its norm has no slope, and all weights are NaN from then on."""

import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(size=(160, 4)).astype("float32")
features[111] = 0.0
labels = features.sum(axis=1, keepdims=True)
hidden = tf.keras.layers.Dense(8, use_bias=False)
head = tf.keras.layers.Dense(1)
model = tf.keras.Sequential([tf.keras.Input((4,)), hidden, head])
optimizer = tf.keras.optimizers.Adam(0.01)
data = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(160, seed=1).batch(16)


@tf.function
def step(batch, wanted):
    with tf.GradientTape() as tape:
        code = hidden(batch)
        size = tf.reduce_mean(tf.norm(code, axis=1))  # why: TW211
        loss = tf.reduce_mean(tf.square(head(code) - wanted)) + 0.01 * size
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return loss


for epoch in range(4):
    for batch, wanted in data:
        loss = step(batch, wanted)
