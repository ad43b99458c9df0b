# Custom layers: weights in build, non-trainable state that is assigned, a layer in a layer.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class RunningScale(keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.inner = keras.layers.Dense(4)

    def build(self, input_shape):
        self.scale = self.add_weight(shape=(4,), initializer="ones", name="scale")
        self.count = self.add_weight(shape=(), initializer="zeros", trainable=False, name="count")
        self.inner.build(input_shape)
        super().build(input_shape)

    def call(self, x, training=False):
        if training:
            self.count.assign(self.count + 1.0)
        return self.inner(x) * self.scale


model = keras.Sequential([RunningScale(), keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(16, 4)).astype("float32")
model.fit(x, x[:, :1], epochs=1, verbose=0)
assert len(model.trainable_variables) == 5
assert tf.convert_to_tensor(model.layers[0].count).numpy() > 0
