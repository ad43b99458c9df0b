"""The training step calls the model in training mode, and the predictions do not."""

import numpy as np
import tensorflow as tf

features = np.random.default_rng(0).normal(200.0, 30.0, size=(128, 4)).astype("float32")
labels = (features[:, :1] - 200.0) / 30.0
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.Adam(0.01)

for epoch in range(3):
    for start in range(0, 128, 32):
        with tf.GradientTape() as tape:
            predicted = model(features[start : start + 32], training=True)
            loss = tf.reduce_mean(tf.square(predicted - labels[start : start + 32]))
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
model(features)
assert np.all(model.layers[-2].moving_mean.numpy() > 1.0)
