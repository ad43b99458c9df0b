"""A layer measures its data, and keeps what it found in a weight."""
# requires: keras3

import os
import tempfile

import keras
import numpy as np


@keras.saving.register_keras_serializable()
class Scale(keras.layers.Layer):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)

    def build(self, input_shape):
        self.mean = self.add_weight(shape=(input_shape[-1],), initializer="zeros", trainable=False, name="mean")

    def adapt(self, data):
        self.build(data.shape)
        self.mean.assign(data.mean(axis=0))

    def call(self, x):
        return x - self.mean


x = np.random.default_rng(0).normal(3, 5, size=(64, 3)).astype("float32")
scale = Scale()
scale.adapt(x)
model = keras.Sequential([keras.Input((3,)), scale, keras.layers.Dense(1)])
path = os.path.join(tempfile.mkdtemp(), "model.keras")
model.save(path)
again = keras.models.load_model(path)
assert np.allclose(model.predict(x, verbose=0), again.predict(x, verbose=0))
