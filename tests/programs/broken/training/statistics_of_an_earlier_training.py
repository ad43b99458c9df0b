"""A network that `fit` has trained is trained on by a loop that never calls it in training mode."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(2.0, 3.0, (64, 5)).astype("float32")
y = x[:, :1] - x[:, 1:2]
model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(8), tf.keras.layers.BatchNormalization(), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(0.0005), "mse")
model.fit(x, y, epochs=2, verbose=0)
optimizer = tf.keras.optimizers.SGD(0.0005)
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x + 1.0) - y))  # why: TW613
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
