"""A VAE without its KL term decodes the mean instead of the sample: the log-variance layer is used by nothing.

Its gradients are None and Keras warns; decoding the sample gives it gradients.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(59)
rng = np.random.default_rng(59)
data = tf.constant(rng.uniform(size=(64, 10)), tf.float32)


class Sampling(tf.keras.layers.Layer):
    def call(self, inputs):
        mean, log_var = inputs
        return mean + tf.exp(0.5 * log_var) * tf.random.normal(tf.shape(mean), seed=4)


class VAE(tf.keras.Model):
    def __init__(self, latent):
        super().__init__()
        self.trunk = tf.keras.layers.Dense(8, activation="relu")
        self.to_mean = tf.keras.layers.Dense(latent, name="z_mean")
        self.to_log_var = tf.keras.layers.Dense(latent, name="z_log_var")
        self.sampling = Sampling()
        self.decode = tf.keras.layers.Dense(10, activation="sigmoid")

    def call(self, inputs):
        h = self.trunk(inputs)
        z_mean = self.to_mean(h)
        z_log_var = self.to_log_var(h)
        z = self.sampling([z_mean, z_log_var])  # why: TW115
        return self.decode(z_mean), z


vae = VAE(2)
optimizer = tf.keras.optimizers.Adam(0.01)
for epoch in range(3):
    with tf.GradientTape() as tape:
        rebuilt, z = vae(data)
        loss = tf.reduce_mean(tf.reduce_sum((rebuilt - data) ** 2, axis=1))
    gradients = tape.gradient(loss, vae.trainable_weights)
    optimizer.apply_gradients(zip(gradients, vae.trainable_weights))
    print(epoch, round(float(loss), 4), z.shape)
