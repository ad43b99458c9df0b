"""A layer keeps a running mean of its inputs in a non-trainable variable, updated in call, beside a trained weight."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(129)
rng = np.random.default_rng(129)


class Centering(keras.layers.Layer):
    def build(self, input_shape):
        self.mean = self.add_weight(name="mean", shape=(input_shape[-1],), initializer="zeros", trainable=False)
        self.gain = self.add_weight(name="gain", shape=(input_shape[-1],), initializer="ones")

    def call(self, inputs, training=False):
        if training:
            batch_mean = tf.stop_gradient(tf.reduce_mean(inputs, axis=0))
            self.mean.assign(0.8 * self.mean + 0.2 * batch_mean)
        return (inputs - self.mean) * self.gain


model = keras.Sequential([keras.Input((3,)), Centering(), keras.layers.Dense(1)])
model.compile(keras.optimizers.SGD(0.05), "mse")
x = rng.normal(2.0, 1.0, size=(60, 3)).astype("float32")
history = model.fit(x, x[:, :1], epochs=3, batch_size=20, verbose=0, shuffle=False)
print([round(v, 3) for v in history.history["loss"]])
print("mean", np.round(model.layers[0].mean.numpy(), 2).tolist())
