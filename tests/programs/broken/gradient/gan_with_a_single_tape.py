"""Both losses of a GAN are recorded on one non-persistent tape: the second `gradient` call raises RuntimeError.

With `persistent=True` (or a tape for each loss) both networks train.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(75)
rng = np.random.default_rng(75)


def network(out):
    return tf.keras.Sequential([tf.keras.layers.Dense(10, activation="relu"), tf.keras.layers.Dense(out)])


generator, discriminator = network(2), network(1)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)
generator_optimizer = tf.keras.optimizers.Adam(1e-3)
discriminator_optimizer = tf.keras.optimizers.Adam(1e-3)


def train_step(images):
    noise = tf.random.normal([tf.shape(images)[0], 3])
    with tf.GradientTape() as tape:  # why: TW120
        generated = generator(noise, training=True)
        real_output = discriminator(images, training=True)
        fake_output = discriminator(generated, training=True)
        gen_loss = cross_entropy(tf.ones_like(fake_output), fake_output)
        disc_loss = cross_entropy(tf.ones_like(real_output), real_output)
        disc_loss += cross_entropy(tf.zeros_like(fake_output), fake_output)
    gen_gradients = tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = tape.gradient(disc_loss, discriminator.trainable_variables)
    generator_optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    discriminator_optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))
    return gen_loss, disc_loss


samples = tf.constant(rng.normal(2.0, 0.3, size=(20, 2)), tf.float32)
for step in range(3):
    gen_loss, disc_loss = train_step(samples)
    print(step, round(float(gen_loss), 4), round(float(disc_loss), 4))
