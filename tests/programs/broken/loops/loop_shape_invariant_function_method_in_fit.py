# requires: keras3
# A decoder's `tf.function` grows its sequence in a loop while Keras trains it.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Decoder(keras.layers.Layer):
    def __init__(self, width):
        super().__init__()
        self.step = keras.layers.Dense(width)
        self.width = width

    def build(self, input_shape):
        self.step.build((None, self.width))
        self.built = True

    @tf.function
    def decode(self, start, count):
        sequence = start[:, None]
        for _ in tf.range(count):
            following = self.step(sequence[:, -1])
            sequence = tf.concat([sequence, following[:, None]], axis=1)  # why: TW503
        return sequence

    def call(self, start):
        return self.decode(start, 4)[:, -1]


inputs = keras.Input((3,))
model = keras.Model(inputs, Decoder(3)(inputs))
model.compile("adam", "mse")
model.fit(np.zeros((4, 3)), np.zeros((4, 3)), verbose=0)
