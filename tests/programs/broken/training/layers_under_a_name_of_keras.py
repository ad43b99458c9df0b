# requires: keras3
"""A block keeps its layers under a name that Keras uses itself: they are trained, and no file has them."""

import os
import tempfile

import keras
import numpy as np

keras.utils.set_random_seed(0)


@keras.saving.register_keras_serializable(package="tests")
class Block(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._layers = [keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)]  # why: TW605

    def build(self, shape):
        for layer in self._layers:
            layer.build(shape)
            shape = layer.compute_output_shape(shape)

    def call(self, x):
        for layer in self._layers:
            x = layer(x)
        return x


x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
inputs = keras.Input((4,))
model = keras.Model(inputs, Block()(inputs))
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)
path = os.path.join(tempfile.mkdtemp(), "block.keras")
model.save(path)
restored = keras.models.load_model(path)
print(np.allclose(model.predict(x, verbose=0), restored.predict(x, verbose=0)))
