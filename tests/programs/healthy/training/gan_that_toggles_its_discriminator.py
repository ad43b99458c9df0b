"""A GAN that switches `trainable` of its discriminator on and off around each training call."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

d = keras.Sequential([keras.Input((2,)), layers.Dense(8), layers.LeakyReLU(), layers.Dense(1, activation="sigmoid")])
d.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
g = keras.Sequential([keras.Input((3,)), layers.Dense(8, activation="relu"), layers.Dense(2)])
d.trainable = False
z = keras.Input((3,))
c = keras.Model(z, d(g(z)))
c.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
rng = np.random.default_rng(0)
for _ in range(4):
    real = rng.normal(2, 1, size=(16, 2)).astype("float32")
    fake = g.predict(rng.normal(size=(16, 3)).astype("float32"), verbose=0)
    d.trainable = True
    for layer in d.layers:
        layer.trainable = True
    d.train_on_batch(real, np.ones((16, 1)))
    d.train_on_batch(fake, np.zeros((16, 1)))
    d.trainable = False
    c.train_on_batch(rng.normal(size=(16, 3)).astype("float32"), np.ones((16, 1)))
