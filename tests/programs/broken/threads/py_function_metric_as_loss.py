import numpy as np
import tensorflow as tf


def structural(a, b):
    a, b = np.asarray(a), np.asarray(b)
    covariance = ((a - a.mean()) * (b - b.mean())).mean()
    return np.float32((2 * covariance + 1e-3) / (a.var() + b.var() + 1e-3))


def ssim_loss(y_true, y_pred):
    score = tf.py_function(structural, [y_true, y_pred], tf.float32)  # why: TW111
    return 1.0 - score


model = tf.keras.Sequential(
    [tf.keras.Input((8, 8, 1)), tf.keras.layers.Conv2D(2, 3, padding="same"), tf.keras.layers.Conv2D(1, 1)]
)
optimizer = tf.keras.optimizers.Adam(1e-3)
images = tf.random.uniform([2, 8, 8, 1])
with tf.GradientTape() as tape:
    loss = ssim_loss(images, model(images + 0.1))
gradients = tape.gradient(loss, model.trainable_variables)
optimizer.apply_gradients(zip(gradients, model.trainable_variables))
