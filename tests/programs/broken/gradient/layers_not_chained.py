"""Every layer is applied to the input instead of the layer before: fit warns that the first two have no gradients.

Their outputs are dropped; with `self.second(hidden)` and `self.third(hidden)` all six variables train.
"""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(56)
rng = np.random.default_rng(56)


class Network(keras.Model):
    def __init__(self):
        super().__init__()
        self.first = keras.layers.Dense(6, activation="relu", name="first")
        self.second = keras.layers.Dense(6, activation="relu", name="second")
        self.third = keras.layers.Dense(1, name="third")

    def call(self, inputs):
        hidden = self.first(inputs)  # why: TW115
        hidden = self.second(inputs)  # why: TW115
        output = self.third(inputs)
        return output


x = rng.normal(size=(80, 6)).astype("float32")
y = np.maximum(x, 0).sum(axis=1, keepdims=True)
model = Network()
model.compile(optimizer=keras.optimizers.Adam(0.01), loss=keras.losses.MeanSquaredError())
history = model.fit(x, y, epochs=2, batch_size=40, verbose=0)
print([round(v, 3) for v in history.history["loss"]])
print("variables", len(model.trainable_variables), "inputs", tf.convert_to_tensor(x).shape)
