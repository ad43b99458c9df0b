# requires: keras3
"""Transfer learning asks for the gradients of a base model that was frozen for the first phase and never unfrozen.

In Keras 3 `base.trainable = False` reaches the variables themselves, so the tape does not follow them: their gradients
are None and Keras warns; with `base.trainable = True` before the second phase they exist.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(62)
rng = np.random.default_rng(62)
images = rng.uniform(size=(24, 10, 10, 1)).astype("float32")
labels = rng.integers(0, 2, size=(24, 1)).astype("float32")

base = keras.Sequential(
    [keras.Input((10, 10, 1)), keras.layers.Conv2D(4, 3, activation="relu"), keras.layers.Flatten()], name="base"
)
head = keras.Sequential([keras.Input((256,)), keras.layers.Dense(1)], name="head")
bce = keras.losses.BinaryCrossentropy(from_logits=True)

base_variables = list(base.trainable_variables)
base.trainable = False  # why: TW116


def phase(name, variables, rate, epochs):
    optimizer = keras.optimizers.Adam(rate)
    for epoch in range(epochs):
        with tf.GradientTape() as tape:
            loss = bce(labels, head(base(images, training=False)))
        gradients = tape.gradient(loss, variables)
        optimizer.apply_gradients(zip(gradients, variables))
    print(name, round(float(loss), 4))


phase("head only", head.trainable_variables, 1e-2, 3)
phase("fine tuning", base_variables + head.trainable_variables, 1e-3, 2)
