"""A quantising layer rounds its activations inside `call`: everything below it has no gradient, and fit warns.

With the straight-through form `x + tf.stop_gradient(tf.round(x) - x)` the lower layer trains.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(30)
rng = np.random.default_rng(30)


class Quantise(keras.layers.Layer):
    def __init__(self, bits=3, **kwargs):
        super().__init__(**kwargs)
        self.levels = float(2**bits - 1)

    def call(self, inputs):
        x = tf.clip_by_value(inputs, 0.0, 1.0) * self.levels
        x = tf.round(x)  # why: TW106
        return x / self.levels


model = keras.Sequential(
    [
        keras.layers.Dense(16, activation="sigmoid", name="analog"),
        Quantise(name="quantise"),
        keras.layers.Dense(1, name="digital"),
    ]
)
model.compile(optimizer=keras.optimizers.SGD(0.05), loss="mse")
x = rng.uniform(-1, 1, size=(64, 4)).astype("float32")
y = np.abs(x).sum(axis=1, keepdims=True)
history = model.fit(x, y, batch_size=32, epochs=3, verbose=0)
print([round(v, 4) for v in history.history["loss"]])
