"""A variational autoencoder in `train_step` whose reconstruction loss is taken on pixels from 0 to 255, as floats."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(4)
SIDE, LATENT = 8, 2


def blobs(count, seed):
    """Small pictures with one bright blob each."""
    rng = np.random.default_rng(seed)
    rows, columns = np.mgrid[0:SIDE, 0:SIDE]
    centres = rng.uniform(1, SIDE - 2, size=(count, 2))
    distance = (rows[None] - centres[:, 0, None, None]) ** 2 + (columns[None] - centres[:, 1, None, None]) ** 2
    return np.exp(-distance / 4.0).astype("float32")[..., None]


class Sampling(layers.Layer):
    def call(self, inputs):
        mean, log_variance = inputs
        noise = tf.random.normal(tf.shape(mean))
        return mean + tf.exp(0.5 * log_variance) * noise


def build_encoder():
    inputs = keras.Input((SIDE, SIDE, 1))
    x = layers.Conv2D(6, 3, strides=2, padding="same", activation="relu")(inputs)
    x = layers.Flatten()(x)
    x = layers.Dense(12, activation="relu")(x)
    mean = layers.Dense(LATENT, name="mean")(x)
    log_variance = layers.Dense(LATENT, name="log_variance")(x)
    return keras.Model(inputs, [mean, log_variance, Sampling()([mean, log_variance])], name="encoder")


def build_decoder():
    inputs = keras.Input((LATENT,))
    x = layers.Dense(4 * 4 * 4, activation="relu")(inputs)
    x = layers.Reshape((4, 4, 4))(x)
    x = layers.Conv2DTranspose(6, 3, strides=2, padding="same", activation="relu")(x)
    outputs = layers.Conv2DTranspose(1, 3, padding="same", activation="sigmoid")(x)
    return keras.Model(inputs, outputs, name="decoder")


def to_pixels(picture):
    """Pictures on the scale on which they are stored."""
    return 255.0 * picture


def reconstruction_error(picture, rebuilt):
    difference = tf.cast(to_pixels(picture) - to_pixels(rebuilt), tf.float32) / 255.0
    return tf.reduce_mean(tf.reduce_sum(difference**2, axis=[1, 2, 3]))


class VAE(keras.Model):
    def __init__(self, encoder, decoder, beta=0.5):
        super().__init__()
        self.encoder, self.decoder, self.beta = encoder, decoder, beta
        self.total = keras.metrics.Mean(name="total")
        self.kl = keras.metrics.Mean(name="kl")

    @property
    def metrics(self):
        return [self.total, self.kl]

    def call(self, inputs):
        return self.decoder(self.encoder(inputs)[2])

    def train_step(self, pictures):
        with tf.GradientTape() as tape:
            mean, log_variance, code = self.encoder(pictures)
            rebuilt = self.decoder(code)
            kl = -0.5 * tf.reduce_sum(1 + log_variance - mean**2 - tf.exp(log_variance), axis=1)
            loss = reconstruction_error(pictures, rebuilt) + self.beta * tf.reduce_mean(kl)
        gradients = tape.gradient(loss, self.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_weights))
        self.total.update_state(loss)
        self.kl.update_state(tf.reduce_mean(kl))
        return {metric.name: metric.result() for metric in self.metrics}


def main():
    vae = VAE(build_encoder(), build_decoder())
    vae.compile(optimizer=keras.optimizers.Adam(0.01))
    before = vae.decoder.get_weights()
    history = vae.fit(blobs(96, seed=5), epochs=3, batch_size=32, verbose=0)
    print("total", [round(float(v), 3) for v in history.history["total"]])
    moved = any(np.any(a != b) for a, b in zip(before, vae.decoder.get_weights()))
    print("decoder changed:", moved)


if __name__ == "__main__":
    main()
