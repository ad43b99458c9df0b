# requires: tf_keras
"""The encoder is restored by name; the decoder has layers of the same names and shapes, and the head is a new one."""

import os
import tempfile

import numpy as np
import tf_keras as keras

layers = keras.layers


def stack(name):
    return keras.Sequential([layers.Dense(4, name="first"), layers.Dense(4, name="second")], name=name)


def network(classes, *parts):
    x = inputs = layers.Input((4,))
    for part in parts:
        x = stack(part)(x)
    return keras.Model(inputs, layers.Dense(classes, name=f"classes_{classes}")(x))


saved, model = network(3, "encoder"), network(2, "encoder", "decoder")
with tempfile.TemporaryDirectory() as folder:
    saved.save_weights(os.path.join(folder, "saved.h5"))
    model.load_weights(os.path.join(folder, "saved.h5"), by_name=True)
print(model(np.ones((1, 4))))
