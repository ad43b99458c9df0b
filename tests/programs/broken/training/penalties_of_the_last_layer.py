# requires: tf_keras
"""Functions for penalties are made in a loop, and look up its name when they run: all are about the last layer."""

import numpy as np
import tf_keras as keras


def penalize(model):
    for layer in model.layers:
        layer.add_loss(lambda: 0.1 * keras.backend.sum(layer.kernel**2))  # why: TW118


model = keras.Sequential([keras.layers.Dense(4, input_shape=(2,)), keras.layers.Dense(1)])
penalize(model)
model.compile("sgd", "mse")
data = np.random.default_rng(0).random((8, 2))
print(model.fit(data, data.sum(1), verbose=0).history)
