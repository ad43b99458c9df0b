# The combined network of a GAN is built on one draw of noise, in place of an input.
import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

LATENT = 6


def generator():
    return keras.Sequential([keras.Input((LATENT,)), layers.Dense(16, activation="relu"), layers.Dense(10)])


def discriminator():
    return keras.Sequential([keras.Input((10,)), layers.Dense(16, activation="relu"), layers.Dense(1)])


def latent(batch):
    return tf.random.normal((batch, LATENT))


class Gan:
    def __init__(self, batch):
        self.batch = batch
        self.generator = generator()
        self.discriminator = discriminator()
        self.discriminator.compile("adam", "binary_crossentropy")
        self.combined = self.combine()

    def combine(self):
        noise = latent(self.batch)  # why: TW301
        self.discriminator.trainable = False
        verdict = self.discriminator(self.generator(noise))
        combined = keras.Model(noise, verdict)
        combined.compile("adam", "binary_crossentropy")
        return combined

    def train(self, real):
        self.discriminator.train_on_batch(real, np.ones((self.batch, 1)))
        self.combined.train_on_batch(latent(self.batch), np.ones((self.batch, 1)))


Gan(8).train(np.zeros((8, 10), "float32"))
