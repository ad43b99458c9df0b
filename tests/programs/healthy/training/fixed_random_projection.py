"""A layer is made with `trainable=False`: a fixed random projection, with trained layers behind it."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

x = np.random.default_rng(0).normal(size=(64, 5)).astype("float32")
y = x[:, :1] * 2 + 1
first = keras.layers.Dense(8, activation="tanh", trainable=False)
mid = keras.layers.Dense(8, activation="tanh")
head = keras.layers.Dense(1)
model = keras.Sequential([first, mid, head])
model(x)
mid.kernel.assign(mid.kernel * 1.0)
opt = keras.optimizers.Adam()
for i in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    g = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(g, model.trainable_variables))
