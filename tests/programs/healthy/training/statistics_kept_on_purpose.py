"""A base with batch normalization is called with `training=False` where the model is built, and trained by a loop."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
x = rng.normal(2.0, 3.0, (64, 5)).astype("float32")
y = x[:, :1] - x[:, 1:2]
base = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(8), tf.keras.layers.BatchNormalization()])
base.compile(tf.keras.optimizers.SGD(0.01), "mse")
base.fit(x, np.repeat(y, 8, 1), epochs=2, verbose=0)
given = tf.keras.Input((5,))
model = tf.keras.Model(given, tf.keras.layers.Dense(1)(base(given, training=False)))
optimizer = tf.keras.optimizers.SGD(0.01)
for _ in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x) - y))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
