"""The fakes of a translator go through a pool of earlier ones, for both losses."""

import numpy as np
import tensorflow as tf

from pool import ImagePool

tf.keras.utils.set_random_seed(19)
layers = tf.keras.layers
generator = tf.keras.Sequential([tf.keras.Input((8, 8, 1)), layers.Conv2D(4, 3, padding="same", activation="relu"), layers.Conv2D(1, 3, padding="same")])
critic = tf.keras.Sequential([tf.keras.Input((8, 8, 1)), layers.Conv2D(4, 3, strides=2, activation="relu"), layers.Flatten(), layers.Dense(1)])
g_optimizer, c_optimizer = tf.keras.optimizers.Adam(1e-3), tf.keras.optimizers.Adam(1e-3)
pool = ImagePool(20)
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def train(source, target):
    with tf.GradientTape() as g_tape, tf.GradientTape() as c_tape:
        fake = pool.query(generator(source))
        real_score, fake_score = critic(target), critic(fake)
        g_loss = bce(tf.ones_like(fake_score), fake_score)
        c_loss = bce(tf.ones_like(real_score), real_score) + bce(tf.zeros_like(fake_score), fake_score)
    c_grads = c_tape.gradient(c_loss, critic.trainable_variables)
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    c_optimizer.apply_gradients(zip(c_grads, critic.trainable_variables))
    g_optimizer.apply_gradients(zip(g_grads, generator.trainable_variables))
    return g_loss, c_loss


rng = np.random.default_rng(19)
for _ in range(3):
    a, b = (tf.constant(rng.normal(size=(4, 8, 8, 1)).astype("float32")) for _ in range(2))
    print([float(v) for v in train(a, b)])
