"""A GAN on rings of points whose fakes are augmented with TensorFlow before the discriminator sees them."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(1)
LATENT, BATCH = 6, 32


def real_points(rng, count):
    """Points on two rings."""
    angle = rng.uniform(0, 2 * np.pi, size=count)
    radius = rng.choice([1.0, 2.0], size=count) + 0.05 * rng.normal(size=count)
    return np.stack([radius * np.cos(angle), radius * np.sin(angle)], axis=1).astype("float32")


class Augmenter:
    """Random rotations, the same for all points of a batch, so that few real points go a long way."""

    def __init__(self, seed):
        self.rng = np.random.default_rng(seed)

    def rotation(self):
        angle = self.rng.uniform(-0.5, 0.5)
        return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]], dtype="float32")

    def augment(self, points):
        return tf.matmul(points, self.rotation())


def build_generator():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Dense(24, use_bias=False),
            tf.keras.layers.BatchNormalization(),
            tf.keras.layers.LeakyReLU(),
            tf.keras.layers.Dense(2),
        ],
        name="generator",
    )


def build_discriminator():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Dense(24),
            tf.keras.layers.LeakyReLU(),
            tf.keras.layers.Dropout(0.2),
            tf.keras.layers.Dense(1),
        ],
        name="discriminator",
    )


class GAN:
    def __init__(self):
        self.generator = build_generator()
        self.discriminator = build_discriminator()
        self.g_optimizer = tf.keras.optimizers.Adam(2e-3, beta_1=0.5)
        self.d_optimizer = tf.keras.optimizers.Adam(2e-3, beta_1=0.5)
        self.loss = tf.keras.losses.BinaryCrossentropy(from_logits=True)
        self.augmenter = Augmenter(seed=2)

    def judge(self, points):
        return self.discriminator(self.augmenter.augment(points), training=True)

    def train_discriminator(self, real, noise):
        fake = self.generator(noise, training=True)
        with tf.GradientTape() as tape:
            on_real, on_fake = self.judge(real), self.judge(fake)
            loss = self.loss(tf.ones_like(on_real), on_real) + self.loss(tf.zeros_like(on_fake), on_fake)
        variables = self.discriminator.trainable_variables
        self.d_optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return float(loss)

    def train_generator(self, noise):
        with tf.GradientTape() as tape:
            on_fake = self.judge(self.generator(noise, training=True))
            loss = self.loss(tf.ones_like(on_fake), on_fake)
        variables = self.generator.trainable_variables
        self.g_optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return float(loss)


def main():
    rng = np.random.default_rng(3)
    gan = GAN()
    for step in range(5):
        noise = tf.random.normal([BATCH, LATENT])
        d_loss = gan.train_discriminator(real_points(rng, BATCH), noise)
        g_loss = gan.train_generator(noise)
        print(f"step {step}: discriminator {d_loss:.3f} generator {g_loss:.3f}")
    samples = gan.generator(tf.random.normal([200, LATENT]))
    print("mean radius", round(float(tf.reduce_mean(tf.norm(samples, axis=1))), 2))


if __name__ == "__main__":
    main()
