# requires: keras3
# A recurrent layer counts its steps with Python's `range`.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class SimpleRecurrence(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.units = units
        self.inner = keras.layers.Dense(units, activation="tanh")

    def call(self, inputs):
        state = tf.zeros((tf.shape(inputs)[0], self.units))
        for step in range(tf.shape(inputs)[1]):  # why: TW406
            state = self.inner(tf.concat([inputs[:, step], state], axis=-1))
        return state


inputs = keras.Input((None, 3))
model = keras.Model(inputs, keras.layers.Dense(1)(SimpleRecurrence(4)(inputs)))
model.compile("adam", "mse")
model.fit(np.zeros((4, 6, 3)), np.zeros((4, 1)), verbose=0)
