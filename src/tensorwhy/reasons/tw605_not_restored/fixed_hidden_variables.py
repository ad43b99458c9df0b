"""The offsets of several outputs are variables in a list, made by the model itself."""
# requires: keras3

import os
import tempfile

import keras
import numpy as np
import tensorflow as tf


@keras.saving.register_keras_serializable()
class Heads(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.dense = keras.layers.Dense(2)
        self.offsets = [self.add_weight(shape=(), initializer="zeros", name=f"offset_{i}") for i in range(2)]

    def call(self, x):
        return self.dense(x) + tf.stack([tf.convert_to_tensor(each) for each in self.offsets])

    def center(self, targets):
        for offset, target in zip(self.offsets, targets.T):
            offset.assign(target.mean())


x = np.random.default_rng(0).normal(size=(64, 3)).astype("float32")
model = Heads()
model(x)
model.center(5.0 + x[:, :2])
path = os.path.join(tempfile.mkdtemp(), "model.keras")
model.save(path)
again = keras.models.load_model(path)
assert np.allclose(model.predict(x, verbose=0), again.predict(x, verbose=0))
