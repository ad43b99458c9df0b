"""Masked tokens are replaced in a copy made by numpy."""

import numpy as np
import tensorflow as tf


class Inpainter(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.conv = tf.keras.layers.Conv2D(4, 3, padding="same", activation="relu")
        self.out = tf.keras.layers.Conv2D(1, 3, padding="same")

    def call(self, x):
        return self.out(self.conv(x))


def paste(original, filled, mask):
    result = np.array(original)
    result[mask] = filled.numpy()[mask]  # why: TW110
    return result


model = Inpainter()
optimizer = tf.keras.optimizers.Adam()
rng = np.random.default_rng(0)
image = rng.uniform(size=(2, 6, 6, 1)).astype("float32")
mask = rng.uniform(size=image.shape) < 0.3
for _ in range(2):
    with tf.GradientTape() as tape:
        filled = model(np.where(mask, 0.0, image).astype("float32"))
        whole = paste(image, filled, mask)
        loss = tf.reduce_mean(tf.abs(whole - image))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
