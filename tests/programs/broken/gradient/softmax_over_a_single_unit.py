"""A binary classifier ends in `Dense(1, activation="softmax")`: all gradients are zero.

Its output is 1 for every input. The accuracy never moves; with a sigmoid the weights change.
"""

import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(91)
rng = np.random.default_rng(91)
x = rng.normal(size=(100, 6)).astype("float32")
y = (x[:, 0] + 0.5 * x[:, 1] > 0).astype("float32")[:, None]

model = keras.Sequential(
    [
        keras.Input((6,)),
        keras.layers.Dense(10, activation="relu"),
        keras.layers.Dense(1, activation="softmax"),  # why: TW206
    ]
)
model.compile(optimizer="adam", loss="mse", metrics=["accuracy"])
before = model.get_weights()
history = model.fit(x, y, epochs=4, batch_size=25, verbose=0)
print("accuracy", [round(v, 3) for v in history.history["accuracy"]])
print("changed:", any(np.any(a != b) for a, b in zip(before, model.get_weights())))
