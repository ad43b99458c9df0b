# requires: tf_keras
"""The file has the layers of the block beside the others, the model has them inside the block: they are left out."""

import os
import tempfile

import numpy as np
import tf_keras as keras

layers = keras.layers


def flat():
    x = inputs = layers.Input((4,))
    for name in ("stem", "block_a", "block_b"):
        x = layers.Dense(4, name=name)(x)
    return keras.Model(inputs, x)


def nested():
    inputs = layers.Input((4,))
    block = keras.Sequential([layers.Dense(4, name="block_a"), layers.Dense(4, name="block_b")], name="block")
    return keras.Model(inputs, block(layers.Dense(4, name="stem")(inputs)))


def restore(network, path):
    network.load_weights(path, by_name=True)  # why: TW605


saved, model = flat(), nested()
with tempfile.TemporaryDirectory() as folder:
    saved.save_weights(os.path.join(folder, "saved.h5"))
    restore(model, os.path.join(folder, "saved.h5"))
print(model(np.ones((1, 4))) - saved(np.ones((1, 4))))
