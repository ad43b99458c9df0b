"""A callback compiles the model again while `fit` runs, which throws away the function that `fit` goes on with."""

import numpy as np
from tensorflow import keras


class Slower(keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        if epoch == 2:
            self.model.compile("sgd", "mse")  # why: TW701


model = keras.Sequential([keras.Input((3,)), keras.layers.Dense(1)])
model.compile("adam", "mse")
x = np.random.default_rng(0).normal(size=(16, 3)).astype("float32")
model.fit(x, x[:, :1], epochs=4, callbacks=[Slower()], verbose=0)
