"""A GAN makes its fakes once, before both tapes: the generator's gradients are all None and its optimizer raises.

When the fakes are made inside the generator's tape, both losses train their networks.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(7)
tf.keras.utils.set_random_seed(7)
latent = 4

generator = tf.keras.Sequential(
    [tf.keras.layers.Dense(12, activation="relu", input_shape=(latent,)), tf.keras.layers.Dense(2)]
)
discriminator = tf.keras.Sequential(
    [tf.keras.layers.Dense(12, activation="relu", input_shape=(2,)), tf.keras.layers.Dense(1)]
)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt = tf.keras.optimizers.Adam(1e-3)
d_opt = tf.keras.optimizers.Adam(1e-3)


def train_step(real):
    noise = tf.random.normal([tf.shape(real)[0], latent])
    fake = generator(noise, training=True)  # why: TW102

    with tf.GradientTape() as d_tape:
        real_logits = discriminator(real, training=True)
        fake_logits = discriminator(fake, training=True)
        d_loss = bce(tf.ones_like(real_logits), real_logits) + bce(tf.zeros_like(fake_logits), fake_logits)
    d_grads = d_tape.gradient(d_loss, discriminator.trainable_variables)
    d_opt.apply_gradients(zip(d_grads, discriminator.trainable_variables))

    with tf.GradientTape() as g_tape:
        fake_logits = discriminator(fake, training=True)
        g_loss = bce(tf.ones_like(fake_logits), fake_logits)
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))
    return d_loss, g_loss


data = rng.normal(loc=2.0, size=(32, 2)).astype("float32")
for step in range(3):
    d_loss, g_loss = train_step(tf.constant(data))
    print(step, round(float(d_loss), 4), round(float(g_loss), 4))
