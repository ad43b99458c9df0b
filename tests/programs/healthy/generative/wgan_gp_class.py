"""WGAN-GP as a model class: several critic steps, a gradient penalty by a tape inside the tape."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(22)
data = np.random.default_rng(22).normal(size=(32, 4)).astype("float32")


class WGAN(keras.Model):
    def __init__(self, critic, generator, latent_dim, extra_steps=2, gp_weight=10.0):
        super().__init__()
        self.critic, self.generator = critic, generator
        self.latent_dim, self.d_steps, self.gp_weight = latent_dim, extra_steps, gp_weight

    def compile(self, d_optimizer, g_optimizer, d_loss_fn, g_loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer = d_optimizer, g_optimizer
        self.d_loss_fn, self.g_loss_fn = d_loss_fn, g_loss_fn

    def gradient_penalty(self, batch, real, fake):
        alpha = tf.random.uniform([batch, 1], 0.0, 1.0)
        interpolated = real + alpha * (fake - real)
        with tf.GradientTape() as gp_tape:
            gp_tape.watch(interpolated)
            pred = self.critic(interpolated, training=True)
        grads = gp_tape.gradient(pred, [interpolated])[0]
        norm = tf.sqrt(tf.reduce_sum(tf.square(grads), axis=1) + 1e-12)
        return tf.reduce_mean((norm - 1.0) ** 2)

    def train_step(self, real):
        if isinstance(real, tuple):
            real = real[0]
        batch = tf.shape(real)[0]
        for _ in range(self.d_steps):
            noise = tf.random.normal((batch, self.latent_dim))
            with tf.GradientTape() as tape:
                fake = self.generator(noise, training=True)
                cost = self.d_loss_fn(self.critic(real, training=True), self.critic(fake, training=True))
                d_loss = cost + self.gradient_penalty(batch, real, fake) * self.gp_weight
            grads = tape.gradient(d_loss, self.critic.trainable_variables)
            self.d_optimizer.apply_gradients(zip(grads, self.critic.trainable_variables))
        with tf.GradientTape() as tape:
            fake = self.generator(tf.random.normal((batch, self.latent_dim)), training=True)
            g_loss = self.g_loss_fn(self.critic(fake, training=True))
        grads = tape.gradient(g_loss, self.generator.trainable_variables)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_variables))
        return {"d_loss": d_loss, "g_loss": g_loss}


critic = keras.Sequential([keras.Input((4,)), layers.Dense(16), layers.LeakyReLU(), layers.Dense(1)])
generator = keras.Sequential(
    [
        keras.Input((3,)),
        layers.Dense(16, use_bias=False),
        layers.BatchNormalization(),
        layers.LeakyReLU(),
        layers.Dense(4),
    ]
)
wgan = WGAN(critic, generator, 3)
wgan.compile(
    keras.optimizers.Adam(2e-4, beta_1=0.5, beta_2=0.9),
    keras.optimizers.Adam(2e-4, beta_1=0.5, beta_2=0.9),
    lambda real, fake: tf.reduce_mean(fake) - tf.reduce_mean(real),
    lambda fake: -tf.reduce_mean(fake),
)
history = wgan.fit(data, batch_size=16, epochs=2, verbose=0)
print(sorted(history.history))
