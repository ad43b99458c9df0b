"""One sample at a time through batch normalisation: it is its own mean."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def stream(count):
    rng = np.random.RandomState(0)
    for _ in range(count):
        x = rng.normal(size=(1, 5)).astype("float32")
        yield x, (x[:, :1] > 0).astype("float32")


def build():
    model = keras.Sequential()
    model.add(keras.Input((5,)))
    model.add(layers.Dense(8))
    model.add(layers.BatchNormalization())  # why: TW206
    model.add(layers.Activation("tanh"))
    model.add(layers.Dense(1, activation="sigmoid"))
    return model


tf.keras.utils.set_random_seed(0)
model = build()
model.compile(optimizer=keras.optimizers.SGD(0.05), loss="binary_crossentropy")
for epoch in range(2):
    for x, y in stream(20):
        model.train_on_batch(x, y)
print(model.get_weights()[0][0])
