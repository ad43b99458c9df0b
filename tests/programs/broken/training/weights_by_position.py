# requires: tf_keras
"""An inner layer is frozen after it was created: the file lists its weights last, and the loaded layer has it first."""
import os
import tempfile

import numpy as np
import tf_keras


class Block(tf_keras.layers.Layer):
    def __init__(self, **options):
        super().__init__(**options)
        self.first = tf_keras.layers.Dense(3, name="first")
        self.second = tf_keras.layers.Dense(3, name="second")

    def call(self, x):
        return self.second(self.first(x))


block, sample = Block(name="block"), tf_keras.Input((3,))
model = tf_keras.Model(sample, block(sample))
block.first.trainable = False
path = os.path.join(tempfile.mkdtemp(), "model.h5")
model.save(path)
again = tf_keras.models.load_model(path, custom_objects={"Block": Block})  # why: TW605
x = np.random.default_rng(0).normal(size=(8, 3)).astype("float32")
print(np.abs(model.predict(x, verbose=0) - again.predict(x, verbose=0)).max())
