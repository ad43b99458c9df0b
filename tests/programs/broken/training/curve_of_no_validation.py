"""The losses of validation are asked of a training without any, under a name of the program's own."""

import numpy as np
import tensorflow as tf


def train(model):
    x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
    return model.fit(x, x[:, :1], epochs=2, verbose=0)


model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
model.compile("adam", "mse")
done = train(model)
curves = done.history
print(min(curves["val_loss"]))  # why: TW802
