import tensorflow as tf
from posterior import Posterior


class Encoder:
    def __init__(self, latent):
        self.mean = tf.keras.layers.Dense(latent)
        self.deviation = tf.keras.layers.Dense(latent, activation="softplus")

    def __call__(self, batch):
        return Posterior(self.mean(batch), self.deviation(batch))

    def weights(self):
        return self.mean.trainable_variables + self.deviation.trainable_variables
