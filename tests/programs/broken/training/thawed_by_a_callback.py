"""All layers are frozen when training begins, and a callback sets them free later: nothing is ever trained."""

import numpy as np
import tensorflow as tf


class Thaw(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 2:
            self.thaw()

    def thaw(self):
        for layer in self.model.layers:
            layer.trainable = True  # why: TW116


x = np.random.default_rng(0).normal(size=(32, 4)).astype("float32")
model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(4), tf.keras.layers.Dense(1)])
for layer in model.layers:
    layer.trainable = False
model.compile("sgd", "mse")
model.fit(x, x[:, :1], epochs=4, verbose=0, callbacks=[Thaw()])
