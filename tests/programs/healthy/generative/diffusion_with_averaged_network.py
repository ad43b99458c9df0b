"""A denoising diffusion model: two networks, the second an exponential moving average that is never differentiated."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(28)
x = np.random.default_rng(28).normal(size=(32, 4)).astype("float32")


def network():
    noisy, variance = keras.Input((4,)), keras.Input((1,))
    h = layers.Concatenate()([noisy, layers.Dense(4, activation="swish")(variance)])
    return keras.Model([noisy, variance], layers.Dense(4, kernel_initializer="zeros")(layers.Dense(16, "swish")(h)))


class DiffusionModel(keras.Model):
    def __init__(self):
        super().__init__()
        self.normalizer = layers.Normalization()
        self.network = network()
        self.ema_network = keras.models.clone_model(self.network)

    def compile(self, **kwargs):
        super().compile(**kwargs)
        self.noise_loss_tracker = keras.metrics.Mean(name="n_loss")

    @property
    def metrics(self):
        return [self.noise_loss_tracker]

    def schedule(self, times):
        angles = 0.2 + times * 1.2
        return tf.sin(angles), tf.cos(angles)

    def denoise(self, noisy, noise_rates, signal_rates, training):
        net = self.network if training else self.ema_network
        pred_noises = net([noisy, noise_rates**2], training=training)
        return pred_noises, (noisy - noise_rates * pred_noises) / signal_rates

    def mix(self, samples):
        noises = tf.random.normal(tf.shape(samples))
        noise_rates, signal_rates = self.schedule(tf.random.uniform((tf.shape(samples)[0], 1)))
        return noises, signal_rates * samples + noise_rates * noises, noise_rates, signal_rates

    def train_step(self, samples):
        samples = self.normalizer(samples, training=True)
        noises, noisy, noise_rates, signal_rates = self.mix(samples)
        with tf.GradientTape() as tape:
            pred_noises, _pred = self.denoise(noisy, noise_rates, signal_rates, training=True)
            noise_loss = self.compute_error(noises, pred_noises)
        gradients = tape.gradient(noise_loss, self.network.trainable_weights)
        self.optimizer.apply_gradients(zip(gradients, self.network.trainable_weights))
        self.noise_loss_tracker.update_state(noise_loss)
        for weight, ema_weight in zip(self.network.weights, self.ema_network.weights):
            ema_weight.assign(0.9 * ema_weight + 0.1 * weight)
        return {m.name: m.result() for m in self.metrics}

    def compute_error(self, one, two):
        return tf.reduce_mean(tf.abs(one - two))

    def test_step(self, samples):
        samples = self.normalizer(samples, training=False)
        noises, noisy, noise_rates, signal_rates = self.mix(samples)
        pred_noises, _ = self.denoise(noisy, noise_rates, signal_rates, training=False)
        self.noise_loss_tracker.update_state(self.compute_error(noises, pred_noises))
        return {m.name: m.result() for m in self.metrics}

    def generate(self, count, steps):
        current = tf.random.normal((count, 4))
        for step in range(steps):
            time = tf.ones((count, 1)) - step / steps
            rates = self.schedule(time)
            noises, pred = self.denoise(current, *rates, training=False)
            next_noise, next_signal = self.schedule(time - 1 / steps)
            current = next_signal * pred + next_noise * noises
        return current


model = DiffusionModel()
model.normalizer.adapt(x)
model.compile(optimizer=keras.optimizers.Adam(1e-3))
history = model.fit(x, epochs=2, batch_size=16, verbose=0, validation_data=(x,))
print(sorted(history.history), model.generate(3, 4).shape)
