"""Feature visualisation: after the first step the clipped image is bound to the variable's name, as a tensor.

The second gradient is None and the optimizer raises; `image.assign(tf.clip_by_value(...))` keeps it a variable.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(48)
tf.keras.utils.set_random_seed(48)
net = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(8, 3, activation="relu", padding="same"),
        tf.keras.layers.Conv2D(4, 3, activation="relu", padding="same"),
    ]
)
optimizer = tf.keras.optimizers.Adam(0.05)


def objective(picture, channel):
    activation = net(picture)[..., channel]
    return -tf.reduce_mean(activation) + 0.01 * tf.image.total_variation(picture)[0]


def visualise(channel, steps=4):
    image = tf.Variable(rng.uniform(0.4, 0.6, size=(1, 10, 10, 3)), dtype=tf.float32)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            loss = objective(image, channel)
        gradient = tape.gradient(loss, image)
        optimizer.apply_gradients([(gradient, image)])
        image = tf.clip_by_value(image, 0.0, 1.0)  # why: TW112
    return image


picture = visualise(2)
print("mean brightness", round(float(tf.reduce_mean(picture)), 4))
