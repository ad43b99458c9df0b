"""All units of the hidden layer begin with the same number: the gradients are not zero, but the same for each unit."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)
points = np.random.default_rng(0).normal(size=(96, 5)).astype("float32")
model = tf.keras.Sequential(
    [
        tf.keras.Input((5,)),
        tf.keras.layers.Dense(6, activation="tanh", kernel_initializer=tf.keras.initializers.Constant(0.1)),  # why: TW205
        tf.keras.layers.Dense(1, kernel_initializer="ones"),
    ]
)
model.compile(tf.keras.optimizers.Adam(0.02), "mse")
model.fit(points, points[:, 0] * points[:, 1], epochs=6, verbose=0)
