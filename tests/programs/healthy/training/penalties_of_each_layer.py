# requires: tf_keras
"""Each function for a penalty has a layer of its own; and each model of a loop is trained before the next is made."""

import numpy as np
import tf_keras as keras


def penalize(layer):
    layer.add_loss(lambda: 0.1 * keras.backend.sum(layer.kernel**2))


data = np.random.default_rng(0).random((8, 2))
models = []
for _ in range(2):
    model = keras.Sequential([keras.layers.Dense(4, input_shape=(2,)), keras.layers.Dense(1)])
    for each in model.layers:
        penalize(each)
    model.add_loss(lambda: 0.1 * keras.backend.sum(model.layers[0].bias ** 2))
    model.compile("sgd", "mse")
    print(model.fit(data, data.sum(1), verbose=0).history)
    models.append(model)
