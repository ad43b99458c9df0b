"""Both steps of a GAN ask for the gradients of the discriminator: the generator never learns.

One finding names both calls. With the generator's variables in the first, both networks change.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(19)
rng = np.random.default_rng(19)


def network(*units):
    return tf.keras.Sequential(
        [*(tf.keras.layers.Dense(n, activation="relu") for n in units[:-1]), tf.keras.layers.Dense(units[-1])]
    )


generator, discriminator = network(16, 4), network(16, 1)
generator_optimizer, discriminator_optimizer = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
cross_entropy = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def losses(real, noise):
    fake = generator(noise, training=True)
    of_real, of_fake = discriminator(real, training=True), discriminator(fake, training=True)
    wrong = cross_entropy(tf.ones_like(of_real), of_real) + cross_entropy(tf.zeros_like(of_fake), of_fake)
    return cross_entropy(tf.ones_like(of_fake), of_fake), wrong


@tf.function
def step(real):
    noise = tf.random.normal((8, 3))
    with tf.GradientTape() as generator_tape, tf.GradientTape() as discriminator_tape:
        generator_loss, discriminator_loss = losses(real, noise)
    gradients = generator_tape.gradient(generator_loss, discriminator.trainable_variables)  # why: TW116
    generator_optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
    gradients = discriminator_tape.gradient(discriminator_loss, discriminator.trainable_variables)
    discriminator_optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
    return generator_loss, discriminator_loss


for number in range(6):
    results = step(rng.normal(size=(8, 4)).astype("float32"))
    print(number, *(round(float(loss), 3) for loss in results))
