# `tf.scan` and `tf.foldl` go along the first axis: time is put first, and back again.
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
        first = tf.transpose(series, [1, 0, 2])
        smooth = tf.scan(self.step, first, initializer=tf.zeros_like(series[:, 0]))
        return tf.transpose(smooth, [1, 0, 2])


def discounted(rewards, discount):
    return tf.scan(lambda total, reward: reward + discount * total, rewards, reverse=True)


inputs = keras.Input((7, 3), batch_size=4)
model = keras.Model(inputs, Smoothing(0.5)(inputs))
print(model.predict(np.ones((4, 7, 3)), batch_size=4, verbose=0)[0, -1].round(3))
print(discounted(tf.constant([1.0, 0.0, 2.0]), 0.5).numpy())
square = tf.reshape(tf.range(9.0), [3, 3])
print(tf.foldl(lambda total, row: total + row, square).numpy(), tf.scan(lambda a, b: a + b, square)[-1].numpy())
