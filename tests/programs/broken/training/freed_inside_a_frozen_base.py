# requires: keras2
"""Fine-tuning: the last layers of the base are set free, and the base around them stays frozen."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def make_base():
    inputs = x = keras.Input((8,))
    for stage in range(3):
        x = layers.Dense(8, activation="relu", name=f"stage{stage}")(x)
    return keras.Model(inputs, x, name="base")


def tune(model, x, y, rate):
    model.compile(keras.optimizers.Adam(rate), keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(x, y, epochs=2, batch_size=12, verbose=0)


x = np.random.default_rng(0).normal(size=(48, 8)).astype("float32")
y = (x[:, :1] > 0).astype("float32")
base = make_base()
base.trainable = False
model = keras.Sequential([base, layers.Dropout(0.1), layers.Dense(1)])
tune(model, x, y, 1e-2)
for layer in base.layers[-2:]:
    layer.trainable = True  # why: TW116
tune(model, x, y, 1e-3)
