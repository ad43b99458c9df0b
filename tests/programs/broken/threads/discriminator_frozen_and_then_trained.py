import numpy as np
import tensorflow as tf

discriminator = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)]
)
generator = tf.keras.Sequential(
    [tf.keras.Input((2,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(4)]
)
optimizer = tf.keras.optimizers.Adam(1e-3)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def combined(generator, discriminator):
    discriminator.trainable = False  # why: TW116
    noise = tf.keras.Input((2,))
    return tf.keras.Model(noise, discriminator(generator(noise)))


gan = combined(generator, discriminator)


def train_discriminator(real):
    noise = tf.random.normal([len(real), 2])
    with tf.GradientTape() as tape:
        fake_score = discriminator(generator(noise))
        real_score = discriminator(real)
        loss = bce(tf.ones_like(real_score), real_score) + bce(tf.zeros_like(fake_score), fake_score)
    gradients = tape.gradient(loss, discriminator.trainable_variables)
    optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
    return float(loss)


print(train_discriminator(np.random.default_rng(0).normal(size=(8, 4)).astype("float32")))
