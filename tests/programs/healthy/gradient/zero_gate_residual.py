"""ReZero: each block starts behind a gate of zero, so its kernel has a zero gradient in the first step only."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(153)
rng = np.random.default_rng(153)


class ReZero(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.inner = keras.layers.Dense(units, activation="tanh")
        self.gate = self.add_weight(name="gate", shape=(), initializer="zeros")

    def call(self, x):
        return x + self.gate * self.inner(x)


model = keras.Sequential([keras.Input((6,)), ReZero(6), ReZero(6), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.1)
x = tf.constant(rng.normal(size=(60, 6)), tf.float32)
y = tf.sin(x[:, :1])
for step in range(8):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    print(step, round(float(loss), 4), round(float(tf.norm(gradients[0])), 4) >= 0)
