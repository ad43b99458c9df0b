"""Batches and an image come to the model as variables: data that training is not to change."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(3)
rng = np.random.default_rng(3)
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)
buffer = tf.Variable(tf.zeros((8, 3)))
losses = []

for _ in range(4):
    buffer.assign(rng.normal(size=(8, 3)).astype("float32"))
    wanted = tf.reduce_sum(buffer, axis=1, keepdims=True)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(buffer) - wanted))
    weights = model.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    losses.append(float(loss))

for _ in range(2):
    batch = tf.Variable(rng.normal(size=(8, 3)).astype("float32"))
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(batch)))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))

sample = tf.Variable(tf.ones((1, 3)))
with tf.GradientTape() as tape:
    score = model(sample)
print(all(np.isfinite(losses)), tape.gradient(score, sample).shape)
