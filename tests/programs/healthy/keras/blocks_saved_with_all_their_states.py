# requires: keras3
"""A model with dropout, batch normalization and layers of its own in lists is saved, loaded and trained further."""

import os
import tempfile

import keras
import numpy as np

keras.utils.set_random_seed(0)


@keras.saving.register_keras_serializable(package="tests")
class Block(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self._parts = [keras.layers.Dense(8), keras.layers.BatchNormalization(), keras.layers.Dropout(0.2)]

    def build(self, shape):
        for layer in self._parts:
            layer.build(shape)
            shape = layer.compute_output_shape(shape)

    def call(self, x, training=False):
        x = self._parts[1](self._parts[0](x), training=training)
        return self._parts[2](x, training=training)


x = np.random.default_rng(0).normal(size=(64, 4)).astype("float32")
inputs = keras.Input((4,))
model = keras.Model(inputs, keras.layers.Dense(1)(Block()(inputs)))
model.compile("adam", "mse", metrics=["mae"])
model.fit(x, x[:, :1], epochs=2, verbose=0)
path = os.path.join(tempfile.mkdtemp(), "block.keras")
model.save(path)
restored = keras.models.load_model(path)
print(np.allclose(model.predict(x, verbose=0), restored.predict(x, verbose=0), atol=1e-5))
restored.fit(x, x[:, :1], epochs=1, verbose=0)
