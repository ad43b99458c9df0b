"""Adapters on a frozen base: each Dense is replaced in place by a layer that adds a low-rank product, then merged."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(60)
rng = np.random.default_rng(60)
x, y = rng.normal(size=(32, 6)).astype("float32"), rng.normal(size=(32, 2)).astype("float32")


class LoraDense(keras.layers.Layer):
    def __init__(self, original, rank=2, **kwargs):
        super().__init__(**kwargs)
        self.original, self.rank = original, rank
        self.original.trainable = False
        self.down = keras.layers.Dense(rank, use_bias=False, name="down")
        self.up = keras.layers.Dense(original.units, use_bias=False, kernel_initializer="zeros", name="up")

    def call(self, inputs):
        return self.original(inputs) + self.up(self.down(inputs)) * 0.5

    def merge(self):
        self.original.kernel.assign_add(0.5 * tf.matmul(self.down.kernel, self.up.kernel))
        self.up.kernel.assign(tf.zeros_like(self.up.kernel))


class Block(keras.Model):
    def __init__(self):
        super().__init__()
        self.parts = {"first": keras.layers.Dense(8, activation=None), "second": keras.layers.Dense(2)}
        self.adapted = []

    def call(self, inputs):
        if self.adapted:
            return self.adapted[1](tf.nn.relu(self.adapted[0](inputs)))
        return self.parts["second"](tf.nn.relu(self.parts["first"](inputs)))


base = Block()
base.compile("adam", "mse")
base.fit(x, y, epochs=1, verbose=0)
frozen = [w.copy() for w in base.get_weights()]
tuned = Block()
tuned(x)
tuned.set_weights(frozen)
tuned = keras.Sequential(
    [keras.Input((6,)), LoraDense(tuned.parts["first"]), keras.layers.ReLU(), LoraDense(tuned.parts["second"])]
)
tuned.compile(keras.optimizers.Adam(1e-2), "mse")
history = tuned.fit(x, y, epochs=3, verbose=0)
print(
    len(tuned.trainable_weights),
    len(tuned.non_trainable_weights),
    history.history["loss"][-1] < history.history["loss"][0],
)
outputs = tuned(x)
for layer in tuned.layers:
    if isinstance(layer, LoraDense):
        layer.merge()
print(np.allclose(outputs, tuned(x), atol=1e-4))
