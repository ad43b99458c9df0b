# requires: keras3
"""The rate is a function of Python that reads a counter; the traced step asks it once."""

import numpy as np
import tensorflow as tf


class Clock:
    def __init__(self):
        self.ticks = 0


clock = Clock()


def rate():
    return 0.1 / (1.0 + clock.ticks)  # why: TW122


class Ticking(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        clock.ticks += 1


x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile(tf.keras.optimizers.SGD(learning_rate=rate), "mse")
model.fit(x, x[:, :1], epochs=6, verbose=0, callbacks=[Ticking()])
