"""A fast-gradient-sign attack on a plain image tensor: its gradient is None, and `tf.sign(None)` raises ValueError.

A tape follows variables by itself, never constants; with `tape.watch(image)` the gradient has the image's shape.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
rng = np.random.default_rng(3)

classifier = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(4, 3, activation="relu", input_shape=(12, 12, 1)),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(3),
    ]
)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def load_image():
    pixels = rng.uniform(size=(1, 12, 12, 1))
    return tf.convert_to_tensor(pixels, dtype=tf.float32)


def adversarial_pattern(picture, label):
    with tf.GradientTape() as tape:
        prediction = classifier(picture)
        loss = loss_object(label, prediction)
    gradient = tape.gradient(loss, picture)
    print("gradient of the input:", None if gradient is None else tuple(gradient.shape))
    return tf.sign(gradient)


image = load_image()  # why: TW101
label = tf.constant([1])
for epsilon in (0.01, 0.1):
    attacked = tf.clip_by_value(image + epsilon * adversarial_pattern(image, label), 0.0, 1.0)
    print(epsilon, attacked.shape)
