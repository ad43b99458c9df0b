"""A VAE with the reparameterisation trick and KL term in `train_step`."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(150)
rng = np.random.default_rng(150)


class VAE(keras.Model):
    def __init__(self):
        super().__init__()
        self.encoder = keras.layers.Dense(8, activation="relu")
        self.mean, self.log_var = keras.layers.Dense(2), keras.layers.Dense(2)
        self.decoder = keras.Sequential(
            [keras.layers.Dense(8, activation="relu"), keras.layers.Dense(10, activation="sigmoid")]
        )
        self.total = keras.metrics.Mean(name="total")

    def call(self, inputs):
        h = self.encoder(inputs)
        mean, log_var = self.mean(h), self.log_var(h)
        z = mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean), seed=1)
        return self.decoder(z), mean, log_var

    def train_step(self, data):
        with tf.GradientTape() as tape:
            rebuilt, mean, log_var = self(data)
            kl = -0.5 * tf.reduce_mean(tf.reduce_sum(1 + log_var - mean**2 - tf.exp(log_var), axis=1))
            loss = tf.reduce_mean(tf.reduce_sum((rebuilt - data) ** 2, axis=1)) + 0.1 * kl
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_weights), self.trainable_weights))
        self.total.update_state(loss)
        return {"total": self.total.result()}

    @property
    def metrics(self):
        return [self.total]


data = rng.uniform(size=(64, 10)).astype("float32")
vae = VAE()
vae.compile(optimizer=keras.optimizers.Adam(0.01))
history = vae.fit(data, epochs=3, batch_size=32, verbose=0)
print([round(float(v), 3) for v in history.history["total"]])
