import numpy as np
import tensorflow as tf
from layers import Regulariser


class Anneal(tf.keras.callbacks.Callback):
    def __init__(self, layer, step):
        super().__init__()
        self.layer = layer
        self.step = step

    def on_epoch_begin(self, epoch, logs=None):
        self.layer.beta = epoch * self.step


regulariser = Regulariser()
model = tf.keras.Sequential([tf.keras.layers.Dense(3), regulariser, tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
x = np.random.default_rng(0).normal(size=(8, 2)).astype("float32")
model.fit(x, x[:, :1], epochs=3, verbose=0, callbacks=[Anneal(regulariser, 0.5)])
