"""A VQ-VAE with the straight-through estimator, codebook loss and commitment loss: every variable gets a gradient."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(103)
rng = np.random.default_rng(103)


class VectorQuantizer(tf.keras.layers.Layer):
    def __init__(self, count, width, beta=0.25):
        super().__init__()
        self.beta = beta
        self.codebook = self.add_weight(name="codebook", shape=(count, width), initializer="random_normal")

    def call(self, z):
        distances = tf.reduce_sum((z[:, None, :] - self.codebook[None]) ** 2, axis=-1)
        codes = tf.argmin(distances, axis=1)
        q = tf.gather(self.codebook, codes)
        commitment = self.beta * tf.reduce_mean((tf.stop_gradient(q) - z) ** 2)
        dictionary = tf.reduce_mean((q - tf.stop_gradient(z)) ** 2)
        self.add_loss(commitment + dictionary)
        return z + tf.stop_gradient(q - z)


class VQVAE(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = tf.keras.layers.Dense(3)
        self.quantizer = VectorQuantizer(6, 3)
        self.decoder = tf.keras.layers.Dense(5)

    def call(self, inputs):
        return self.decoder(self.quantizer(self.encoder(inputs)))


data = rng.normal(size=(64, 5)).astype("float32")
model = VQVAE()
model.compile(optimizer="adam", loss="mse")
history = model.fit(data, data, batch_size=32, epochs=3, verbose=0)
print([round(v, 4) for v in history.history["loss"]])
