# A sum starts as an integer and becomes a float, in `tf.while_loop`.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Series(keras.layers.Layer):
    """Evaluates the first terms of a power series."""

    def __init__(self, terms):
        super().__init__()
        self.terms = terms

    def term(self, x, power):
        return tf.reduce_mean(x ** tf.cast(power, x.dtype)) / tf.cast(power, x.dtype)

    def call(self, x):
        state = (tf.constant(1), tf.constant(0))  # why: TW504
        power, total = tf.while_loop(
            lambda power, total: power <= self.terms,
            lambda power, total: (power + 1, self.term(x, power)),
            state,
        )
        return x * total


inputs = keras.Input((3,))
model = keras.Model(inputs, Series(4)(inputs))
print(model.predict(np.ones((2, 3)), verbose=0))
