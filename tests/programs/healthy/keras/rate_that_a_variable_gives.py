# requires: keras3
"""The rate is a function that reads a variable, which a callback changes; another one always gives the same number."""

import numpy as np
import tensorflow as tf

ticks = tf.Variable(0.0, trainable=False)
settings = {"rate": 0.05}


class Ticking(tf.keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        ticks.assign_add(1.0)


def train(rate):
    x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(learning_rate=rate), "mse")
    return model.fit(x, x[:, :1], epochs=4, verbose=0, callbacks=[Ticking()]).history["loss"][-1]


def falling():
    return 0.1 / (1.0 + ticks)


def steady():
    return settings["rate"] * 2.0


print(train(falling) < 5, train(steady) < 5)
