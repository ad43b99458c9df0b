"""A GAN with a tape for each loss inside a tf.function, noise as input, dropout in the discriminator."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(109)
rng = np.random.default_rng(109)

generator = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(12, use_bias=False),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.LeakyReLU(),
        tf.keras.layers.Dense(2),
    ]
)
discriminator = tf.keras.Sequential(
    [tf.keras.layers.Dense(12), tf.keras.layers.LeakyReLU(), tf.keras.layers.Dropout(0.3), tf.keras.layers.Dense(1)]
)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
g_opt, d_opt = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
generator(tf.zeros([1, 4])), discriminator(tf.zeros([1, 2]))


@tf.function
def train_step(real):
    noise = tf.random.normal([16, 4], seed=5)
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:
        fake = generator(noise, training=True)
        real_out = discriminator(real, training=True)
        fake_out = discriminator(fake, training=True)
        g_loss = bce(tf.ones_like(fake_out), fake_out)
        d_loss = bce(tf.ones_like(real_out), real_out) + bce(tf.zeros_like(fake_out), fake_out)
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    d_grads = d_tape.gradient(d_loss, discriminator.trainable_variables)
    g_opt.apply_gradients(zip(g_grads, generator.trainable_variables))
    d_opt.apply_gradients(zip(d_grads, discriminator.trainable_variables))
    return g_loss, d_loss


data = tf.constant(rng.normal(2.0, 0.5, size=(16, 2)), tf.float32)
g_opt_vars, d_opt_vars = generator.trainable_variables, discriminator.trainable_variables
if hasattr(g_opt, "build"):
    g_opt.build(g_opt_vars)
    d_opt.build(d_opt_vars)
for step in range(4):
    g_loss, d_loss = train_step(data)
    print(step, round(float(g_loss), 3), round(float(d_loss), 3))
print("moving mean moved:", bool(tf.reduce_any(generator.layers[1].moving_mean != 0)))
