"""The offsets of several outputs are variables in a list, which Keras 3 does not list."""
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
        self.offsets = [tf.Variable(0.0) for _ in range(2)]  # why: TW605

    def call(self, x):
        return self.dense(x) + tf.stack(self.offsets)

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
print("difference", float(np.abs(model.predict(x, verbose=0) - again.predict(x, verbose=0)).max()))
