# requires: keras3
# The layer makes its weight on the first call, when it is built already.
import numpy as np
from tensorflow import keras


class Scale(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.scale = None

    def call(self, x):
        if self.scale is None:
            self.scale = self.add_weight(shape=(x.shape[-1],), initializer="ones")  # why: TW603
        return x * self.scale


def train(model):
    x = np.ones((8, 3), "float32")
    model.compile("sgd", "mse")
    model.fit(x, x[:, :1], verbose=0)


train(keras.Sequential([Scale(), keras.layers.Dense(1)]))
