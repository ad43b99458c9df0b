"""A tape is opened for validation as well, and nothing is asked of it there; the training part is as usual."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(108)
rng = np.random.default_rng(108)
x, y = rng.normal(size=(50, 3)).astype("float32"), rng.normal(size=(50, 1)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="relu"), tf.keras.layers.Dense(1)])
optimizer = tf.keras.optimizers.SGD(0.05)


def run(features, targets, training):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features) - targets))
    if training:
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    return float(loss)


for epoch in range(3):
    train_loss = run(x[:40], y[:40], training=True)
    valid_loss = run(x[40:], y[40:], training=False)
    print(epoch, round(train_loss, 4), round(valid_loss, 4))
