"""A GAN class with its own compile and train_step, label noise, a callback that keeps sample images."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(21)
images = np.random.default_rng(21).uniform(size=(32, 8, 8, 1)).astype("float32")
discriminator = keras.Sequential(
    [
        keras.Input((8, 8, 1)),
        layers.Conv2D(8, 3, strides=2, padding="same"),
        layers.LeakyReLU(),
        layers.GlobalMaxPooling2D(),
        layers.Dense(1),
    ]
)
generator = keras.Sequential(
    [
        keras.Input((6,)),
        layers.Dense(4 * 4 * 4),
        layers.LeakyReLU(),
        layers.Reshape((4, 4, 4)),
        layers.Conv2DTranspose(8, 4, strides=2, padding="same"),
        layers.LeakyReLU(),
        layers.Conv2D(1, 3, padding="same", activation="sigmoid"),
    ]
)


class GAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator, self.generator, self.latent_dim = discriminator, generator, latent_dim
        self.d_loss_tracker, self.g_loss_tracker = keras.metrics.Mean(name="d_loss"), keras.metrics.Mean(name="g_loss")

    @property
    def metrics(self):
        return [self.d_loss_tracker, self.g_loss_tracker]

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    def train_step(self, real_images):
        batch = tf.shape(real_images)[0]
        generated = self.generator(tf.random.normal((batch, self.latent_dim)))
        combined = tf.concat([generated, real_images], axis=0)
        labels = tf.concat([tf.ones((batch, 1)), tf.zeros((batch, 1))], axis=0)
        labels += 0.05 * tf.random.uniform(tf.shape(labels))
        with tf.GradientTape() as tape:
            d_loss = self.loss_fn(labels, self.discriminator(combined))
        grads = tape.gradient(d_loss, self.discriminator.trainable_weights)
        self.d_optimizer.apply_gradients(zip(grads, self.discriminator.trainable_weights))
        misleading = tf.zeros((batch, 1))
        with tf.GradientTape() as tape:
            predictions = self.discriminator(self.generator(tf.random.normal((batch, self.latent_dim))))
            g_loss = self.loss_fn(misleading, predictions)
        grads = tape.gradient(g_loss, self.generator.trainable_weights)
        self.g_optimizer.apply_gradients(zip(grads, self.generator.trainable_weights))
        self.d_loss_tracker.update_state(d_loss)
        self.g_loss_tracker.update_state(g_loss)
        return {"d_loss": self.d_loss_tracker.result(), "g_loss": self.g_loss_tracker.result()}


class Samples(keras.callbacks.Callback):
    def __init__(self):
        super().__init__()
        self.seen = []

    def on_epoch_end(self, epoch, logs=None):
        made = self.model.generator(tf.random.normal((2, self.model.latent_dim)))
        self.seen.append((made * 255).numpy().shape)


gan = GAN(discriminator, generator, 6)
gan.compile(keras.optimizers.Adam(3e-4), keras.optimizers.Adam(3e-4), keras.losses.BinaryCrossentropy(from_logits=True))
samples = Samples()
history = gan.fit(tf.data.Dataset.from_tensor_slices(images).batch(16), epochs=2, verbose=0, callbacks=[samples])
print(sorted(history.history), samples.seen)
