"""Double backpropagation through a bicubic resize raises LookupError: `ResizeBicubicGrad` has no gradient itself.

The first gradient (of the score in the image) exists; with bilinear resizing on a recent TensorFlow, or without
resizing, the penalty has one too.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(32)
rng = np.random.default_rng(32)
conv = tf.keras.layers.Conv2D(2, 3, activation="tanh")
dense = tf.keras.layers.Dense(1)
pixels = tf.constant(rng.normal(size=(2, 6, 6, 1)), tf.float32)


def score(picture):
    larger = tf.image.resize(picture, (10, 10), method="bicubic")  # why: TW107
    return dense(tf.reshape(conv(larger), [2, -1]))


def smoothness(picture):
    with tf.GradientTape() as tape:
        tape.watch(picture)
        value = tf.reduce_sum(score(picture) ** 2)
    return tf.reduce_mean(tf.square(tape.gradient(value, picture)))


print("first order", round(float(smoothness(pixels)), 6))
image = tf.Variable(pixels)
for step in range(2):
    with tf.GradientTape() as tape:
        loss = smoothness(image)
    image.assign_sub(0.1 * tape.gradient(loss, image))
    print(step, float(loss))
