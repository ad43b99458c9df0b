"""A saliency map of the logit of a class that the model is certain of."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)
wide = tf.keras.initializers.RandomNormal(stddev=60.0)
model = tf.keras.Sequential(
    [tf.keras.Input((8, 8, 1)), tf.keras.layers.Flatten(), tf.keras.layers.Dense(5, kernel_initializer=wide)]
)
picture = tf.constant(np.random.default_rng(0).uniform(0, 255, size=(1, 8, 8, 1)), tf.float32)
with tf.GradientTape() as tape:
    tape.watch(picture)
    score = model(picture)[:, 2]
gradient = tape.gradient(score, picture)
assert float(tf.reduce_max(tf.abs(gradient))) > 0
print(float(tf.reduce_max(tf.abs(gradient))))
