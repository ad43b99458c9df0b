# A recurrence over time is scanned over the batch, since `tf.scan` takes the first axis.
import numpy as np
import tensorflow as tf
from tensorflow import keras


class Smoothing(keras.layers.Layer):
    def __init__(self, rate):
        super().__init__()
        self.rate = rate

    def step(self, state, x):
        return self.rate * state + (1.0 - self.rate) * x

    def call(self, series):
        start = tf.zeros_like(series[:, 0])
        return tf.scan(self.step, series, initializer=start)  # why: TW503


inputs = keras.Input((7, 3), batch_size=4)
model = keras.Model(inputs, Smoothing(0.5)(inputs))
print(model.predict(np.ones((4, 7, 3)), batch_size=4, verbose=0).shape)
