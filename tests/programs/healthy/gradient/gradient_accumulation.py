"""Gradients are accumulated in variables over four small batches and then applied once."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(111)
rng = np.random.default_rng(111)
x = rng.normal(size=(64, 5)).astype("float32")
y = x @ rng.normal(size=(5, 1)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
model(x[:1])
optimizer = tf.keras.optimizers.Adam(0.01)
accumulated = [tf.Variable(tf.zeros_like(v), trainable=False) for v in model.trainable_variables]
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)

for epoch in range(2):
    for i, (features, targets) in enumerate(dataset):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features) - targets)) / 4.0
        for total, gradient in zip(accumulated, tape.gradient(loss, model.trainable_variables)):
            total.assign_add(gradient)
        if i % 4 == 3:
            optimizer.apply_gradients(zip([tf.identity(a) for a in accumulated], model.trainable_variables))
            for total in accumulated:
                total.assign(tf.zeros_like(total))
            print(epoch, i, round(float(loss), 5))
