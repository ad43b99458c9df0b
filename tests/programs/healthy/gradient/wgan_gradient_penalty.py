"""WGAN-GP: the penalty is a gradient of a gradient, with a leaky ReLU critic."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(131)
rng = np.random.default_rng(131)
critic = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(12),
        tf.keras.layers.LeakyReLU(),
        tf.keras.layers.Dense(12),
        tf.keras.layers.LeakyReLU(),
        tf.keras.layers.Dense(1),
    ]
)
generator = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(2)])
critic.build((None, 2))
generator.build((None, 3))
c_opt, g_opt = tf.keras.optimizers.RMSprop(5e-3), tf.keras.optimizers.RMSprop(5e-3)


def gradient_penalty(real, fake):
    alpha = tf.random.uniform([tf.shape(real)[0], 1], seed=8)
    mixed = real + alpha * (fake - real)
    with tf.GradientTape() as tape:
        tape.watch(mixed)
        score = critic(mixed, training=True)
    slopes = tape.gradient(score, mixed)
    norm = tf.sqrt(tf.reduce_sum(tf.square(slopes), axis=1) + 1e-12)
    return tf.reduce_mean((norm - 1.0) ** 2)


real = tf.constant(rng.normal(1.0, 0.3, size=(24, 2)), tf.float32)
for step in range(3):
    fake = generator(tf.random.normal([24, 3]))
    with tf.GradientTape() as tape:
        c_loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * gradient_penalty(real, fake)
    gradients = tape.gradient(c_loss, critic.trainable_variables)
    missing = sum(g is None for g in gradients)
    c_opt.apply_gradients([(g, v) for g, v in zip(gradients, critic.trainable_variables) if g is not None])
    with tf.GradientTape() as tape:
        g_loss = -tf.reduce_mean(critic(generator(tf.random.normal([24, 3]))))
    g_opt.apply_gradients(zip(tape.gradient(g_loss, generator.trainable_variables), generator.trainable_variables))
    print(step, round(float(c_loss), 3), round(float(g_loss), 3), missing)
