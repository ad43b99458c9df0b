"""The image is a plain tensor that is rebound after each step and watched again in each tape."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(146)
rng = np.random.default_rng(146)
net = tf.keras.Sequential(
    [tf.keras.layers.Conv2D(4, 3, activation="tanh"), tf.keras.layers.Conv2D(4, 3, activation="tanh")]
)
image = tf.constant(rng.uniform(size=(1, 10, 10, 3)), tf.float32)

for step in range(4):
    with tf.GradientTape() as tape:
        tape.watch(image)
        activation = net(image)
        score = tf.reduce_mean(activation[..., 1])
    gradient = tape.gradient(score, image)
    gradient /= tf.math.reduce_std(gradient) + 1e-8
    image = tf.clip_by_value(image + 0.01 * gradient, 0.0, 1.0)
    print(step, round(float(score), 5))
