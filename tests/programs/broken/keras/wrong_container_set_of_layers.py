# requires: keras2
# A set of layers, which Keras 2 does not look into.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Ensemble(keras.layers.Layer):
    def __init__(self, count):
        super().__init__()
        self.members = {keras.layers.Dense(4) for _ in range(count)}  # why: TW602

    def call(self, x):
        return tf.add_n([member(x) for member in self.members])


inputs = keras.Input((4,))
model = keras.Model(inputs, keras.layers.Dense(1)(Ensemble(3)(inputs)))
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
