# requires: keras3
# A layer unrolls its recurrence in a `tf.function` of its own, and keeps the states in a Python list.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Recurrence(keras.layers.Layer):
    def __init__(self, units):
        super().__init__()
        self.inner = keras.layers.Dense(units, activation="tanh")
        self.units = units

    def build(self, input_shape):
        self.inner.build((None, input_shape[-1] + self.units))
        self.built = True

    @tf.function
    def unroll(self, x):
        state = tf.zeros((tf.shape(x)[0], self.units))
        states = []
        for step in tf.range(tf.shape(x)[1]):
            state = self.inner(tf.concat([x[:, step], state], axis=-1))
            states.append(state)  # why: TW505
        return tf.stack(states, axis=1)

    def call(self, x):
        return self.unroll(x)


inputs = keras.Input((6, 3))
model = keras.Model(inputs, keras.layers.Dense(1)(Recurrence(4)(inputs)))
model.compile("adam", "mse")
model.fit(np.zeros((4, 6, 3)), np.zeros((4, 6, 1)), verbose=0)
