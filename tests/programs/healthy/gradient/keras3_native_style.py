# requires: keras3
"""Keras 3 style: keras.ops in a layer, seed generator, non-trainable state, fit with a validation split."""

import keras
import numpy as np
from keras import ops

keras.utils.set_random_seed(115)
rng = np.random.default_rng(115)


class NoisyScale(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.seed_generator = keras.random.SeedGenerator(7)

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="scale")
        self.calls = self.add_weight(shape=(), initializer="zeros", trainable=False, name="calls")

    def call(self, inputs, training=False):
        self.calls.assign(self.calls + 1.0)
        if training:
            inputs = inputs + 0.01 * keras.random.normal(ops.shape(inputs), seed=self.seed_generator)
        return inputs * self.scale


inputs = keras.Input((5,))
x = NoisyScale()(inputs)
x = keras.layers.Dense(8, activation="gelu")(x)
outputs = keras.layers.Dense(1)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.AdamW(0.01), loss="mse")
data = rng.normal(size=(60, 5)).astype("float32")
history = model.fit(data, ops.sum(data, axis=1, keepdims=True), epochs=2, validation_split=0.2, verbose=0)
print([round(v, 3) for v in history.history["loss"] + history.history["val_loss"]])
