import numpy as np
import tensorflow as tf


class Checked(tf.keras.layers.Layer):
    """Refuses inputs that are out of range."""

    def __init__(self, limit):
        super().__init__()
        self.limit = limit

    @tf.function
    def check(self, inputs):
        largest = tf.reduce_max(tf.abs(inputs))
        if largest > self.limit:
            raise ValueError("inputs are out of range")  # why: TW409
        else:
            return inputs

    def call(self, inputs):
        return self.check(inputs)


layer = Checked(10.0)
print(layer(np.ones((2, 3), "float32")))
