"""A learning rate of 1000 kills the ReLU layer in the first step: from then on its gradients are exactly zero.

`fit` goes on without a word; with a rate of 0.01 the hidden kernel changes in each epoch.
"""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(82)
rng = np.random.default_rng(82)
x = rng.uniform(0, 1, size=(64, 3)).astype("float32")
y = -x.sum(axis=1, keepdims=True)

model = keras.Sequential(
    [
        keras.Input((3,)),
        keras.layers.Dense(8, activation="relu", kernel_initializer="ones", name="hidden"),  # why: TW201
        keras.layers.Dense(1, kernel_initializer="ones", name="out"),
    ]
)
model.compile(optimizer=keras.optimizers.SGD(1000.0), loss="mse")
model.fit(x, y, batch_size=64, epochs=1, verbose=0)
kernel = model.get_layer("hidden").get_weights()[0]
for epoch in range(4):
    history = model.fit(x, y, batch_size=64, epochs=1, verbose=0)
    moved = np.abs(model.get_layer("hidden").get_weights()[0] - kernel).max()
    print(epoch, "hidden moved by", moved, "finite:", bool(np.isfinite(history.history["loss"][0])))
