"""The image is watched as uint8 and converted inside the tape: the tape cannot follow integers, the gradient is None.

Converted to float32 before it is watched, the image has a gradient.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(24)
tf.keras.utils.set_random_seed(24)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(4, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(5),
    ]
)


def preprocess(picture):
    return tf.cast(picture, tf.float32) / 127.5 - 1.0


def heat_map(picture):
    with tf.GradientTape() as tape:
        tape.watch(picture)
        scores = model(preprocess(picture)[tf.newaxis])
        best = tf.reduce_max(scores)
    gradient = tape.gradient(best, picture)
    return tf.reduce_max(tf.abs(gradient), axis=-1)


pixels = rng.integers(0, 255, size=(14, 14, 3))
picture = tf.constant(pixels, dtype=tf.uint8)  # why: TW105
print("heat map", heat_map(picture).shape)
