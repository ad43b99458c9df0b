# Layers in lists, dicts, dicts of lists and tuples are all trained.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Net(keras.Model):
    def __init__(self):
        super().__init__()
        self.stem = [keras.layers.Dense(4), keras.layers.Dense(4)]
        self.branches = {"a": [keras.layers.Dense(4)], "b": [keras.layers.Dense(4)]}
        self.pair = (keras.layers.Dense(4), keras.layers.Dense(4))
        self.head = keras.layers.Dense(1)

    def call(self, x):
        for layer in self.stem:
            x = layer(x)
        x = tf.add_n([layer(x) for branch in self.branches.values() for layer in branch])
        return self.head(self.pair[0](x) + self.pair[1](x))


model = Net()
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
assert len(model.trainable_variables) == 14
