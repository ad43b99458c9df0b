# requires: keras3
"""Instance normalisation where the map has come down to one pixel: what it normalises becomes zero."""

import numpy as np
import tensorflow as tf
from tensorflow import keras


class InstanceNorm(keras.layers.Layer):
    def build(self, shape):
        self.gamma = self.add_weight(shape=(shape[-1],), initializer="ones", name="gamma")
        self.beta = self.add_weight(shape=(shape[-1],), initializer="zeros", name="beta")

    def call(self, x):
        mean = tf.reduce_mean(x, axis=[1, 2], keepdims=True)
        variance = tf.reduce_mean(tf.square(x - mean), axis=[1, 2], keepdims=True)
        return self.gamma * (x - mean) * tf.math.rsqrt(variance + 1e-5) + self.beta  # why: TW206


def critic():
    inputs = keras.Input((8, 8, 1))
    x = inputs
    for filters in (4, 8, 8):
        x = keras.layers.Conv2D(filters, 4, strides=2, padding="same", activation="relu")(x)
    x = InstanceNorm()(x)
    return keras.Model(inputs, keras.layers.Dense(1)(keras.layers.Flatten()(x)))


keras.utils.set_random_seed(46)
rng = np.random.default_rng(46)
model = critic()
optimizer = keras.optimizers.Adam(1e-3)
x = tf.constant(rng.normal(size=(16, 8, 8, 1)).astype("float32"))
y = tf.constant((rng.random((16, 1)) > 0.5).astype("float32"))
for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(keras.losses.binary_crossentropy(y, model(x, training=True), from_logits=True))
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    print(step, float(loss))
