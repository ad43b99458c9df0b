# requires: keras3
# Constants and fixed variables are multiplied into a functional model: nothing of them was meant to be trained.
import numpy as np
import tensorflow as tf
from tensorflow import keras

mean = tf.constant([0.5, 0.5, 0.5])
spread = tf.Variable([2.0, 2.0, 2.0], trainable=False)


def normalised(x):
    return (1.0 / spread) * (x - mean)


def build(units):
    inputs = keras.Input((3,))
    x = keras.layers.Dense(units, activation="relu")(normalised(inputs))
    return keras.Model(inputs, 0.5 * keras.layers.Dense(1)(x))


x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
model = build(4)
model.compile("adam", "mse")
model.fit(x, x[:, :1], epochs=2, verbose=0)
print(model.predict(x, verbose=0).shape, len(model.trainable_variables))
