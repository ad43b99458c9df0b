# requires: keras2
"""A GAN whose discriminator was compiled before it was frozen for the combined model: Keras 2 trains it all the same."""

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers


def build_discriminator():
    net = keras.Sequential([keras.Input((2,)), layers.Dense(8), layers.LeakyReLU(), layers.Dense(1, activation="sigmoid")])
    net.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy")
    return net


class GAN:
    def __init__(self):
        self.discriminator = build_discriminator()
        self.generator = keras.Sequential([keras.Input((3,)), layers.Dense(8, activation="relu"), layers.Dense(2)])
        z = keras.Input((3,))
        self.discriminator.trainable = False
        self.combined = keras.Model(z, self.discriminator(self.generator(z)))
        self.combined.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy")

    def train(self, steps):
        rng = np.random.default_rng(0)
        for _ in range(steps):
            real = rng.normal(2, 1, size=(16, 2)).astype("float32")
            fake = self.generator.predict(rng.normal(size=(16, 3)).astype("float32"), verbose=0)
            self.discriminator.train_on_batch(real, np.ones((16, 1)))
            self.discriminator.train_on_batch(fake, np.zeros((16, 1)))
            self.combined.train_on_batch(rng.normal(size=(16, 3)).astype("float32"), np.ones((16, 1)))


GAN().train(3)
