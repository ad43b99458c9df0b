"""Integrated gradients ask for the gradient of the interpolated batch, but the tape watches the original image.

The interpolated batch was made before the tape opened and nobody watches it, so the answer is None, and the mean of
None raises. `tape.watch(interpolated)` gives the attributions.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(5)
tf.keras.utils.set_random_seed(5)

net = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(3, 3, activation="relu", input_shape=(10, 10, 1)),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(2),
    ]
)


def integrated_gradients(image, class_index, steps=6):
    baseline = tf.zeros_like(image)
    alphas = tf.reshape(tf.linspace(0.0, 1.0, steps + 1), [-1, 1, 1, 1])
    interpolated = baseline + alphas * (image - baseline)  # why: TW101
    with tf.GradientTape() as tape:
        tape.watch(image)
        logits = net(interpolated)
        probability = tf.nn.softmax(logits)[:, class_index]
    grads = tape.gradient(probability, interpolated)
    average = tf.reduce_mean((grads[:-1] + grads[1:]) / 2.0, axis=0)
    return (image - baseline) * average


image = tf.constant(rng.uniform(size=(1, 10, 10, 1)), tf.float32)
attribution = integrated_gradients(image, 1)
print("sum of attributions", float(tf.reduce_sum(attribution)))
