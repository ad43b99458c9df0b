# A residual block builds its own scale, and leaves its convolutions to the first call, which loading never makes.
# requires: keras3
import os
import tempfile

import keras
import numpy as np


@keras.saving.register_keras_serializable()
class Residual(keras.layers.Layer):
    def __init__(self, channels, **kwargs):
        super().__init__(**kwargs)
        self.channels = channels
        self.steps = [keras.layers.Conv1D(channels, 3, padding="same") for _ in range(2)]

    def build(self, input_shape):  # why: TW603
        self.alpha = self.add_weight(shape=(), initializer="zeros", name="alpha")

    def call(self, x):
        y = x
        for step in self.steps:
            y = keras.ops.relu(step(y))
        return x + self.alpha * y

    def get_config(self):
        return {**super().get_config(), "channels": self.channels}


@keras.saving.register_keras_serializable()
class Tower(keras.Model):
    def __init__(self, **kwargs):
        super().__init__(**kwargs)
        self.block = Residual(4)

    def build(self, input_shape):
        self.block.build(input_shape)

    def call(self, x):
        return self.block(x)


model = Tower()
model.compile("sgd", "mse")
x = np.random.default_rng(2).normal(size=(4, 8, 4)).astype("float32")
model.fit(x, x, verbose=0)
path = os.path.join(tempfile.mkdtemp(), "model.keras")
model.save(path)
again = keras.models.load_model(path)
print(np.abs(model(x) - again(x)).max())
