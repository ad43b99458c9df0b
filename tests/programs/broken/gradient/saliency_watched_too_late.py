"""A saliency map that watches the images after the forward pass: the gradient is None.

Watching follows what is computed afterwards only; with the two lines exchanged the map is an array.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(0)
tf.keras.utils.set_random_seed(0)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Flatten(input_shape=(8, 8)),
        tf.keras.layers.Dense(16, activation="tanh"),
        tf.keras.layers.Dense(4, activation="softmax"),
    ]
)


def saliency(images, class_index):
    with tf.GradientTape() as tape:
        scores = model(images, training=False)[:, class_index]
        tape.watch(images)  # why: TW101
    grads = tape.gradient(scores, images)
    if grads is None:
        raise RuntimeError("no gradient for the images")
    return tf.reduce_max(tf.abs(grads), axis=-1)


images = tf.constant(rng.normal(size=(2, 8, 8)), tf.float32)
for class_index in range(4):
    print(class_index, saliency(images, class_index).numpy().mean())
