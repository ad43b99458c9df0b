"""The discriminator is frozen for a combined model, as in old Keras GANs, and then trained by a tape: it never learns.

`trainable_variables` of the frozen model is an empty list. Keras 3 raises on it, Keras 2 says nothing; without the
freezing line (the tapes need none) the discriminator trains.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(62)
rng = np.random.default_rng(62)

generator = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2)])
discriminator = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
discriminator.build((None, 2))
discriminator.trainable = False  # why: TW116
generator.build((None, 3))
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
d_optimizer = tf.keras.optimizers.Adam(0.01)
g_optimizer = tf.keras.optimizers.Adam(0.01)
real = tf.constant(rng.normal(3.0, 0.5, size=(24, 2)), tf.float32)
first = discriminator.get_weights()[0]

for step in range(3):
    noise = tf.random.normal((24, 3))
    with tf.GradientTape() as d_tape, tf.GradientTape() as g_tape:
        fake = generator(noise)
        on_real, on_fake = discriminator(real), discriminator(fake)
        d_loss = bce(tf.ones_like(on_real), on_real) + bce(tf.zeros_like(on_fake), on_fake)
        g_loss = bce(tf.ones_like(on_fake), on_fake)
    g_grads = g_tape.gradient(g_loss, generator.trainable_variables)
    g_optimizer.apply_gradients(zip(g_grads, generator.trainable_variables))
    d_grads = d_tape.gradient(d_loss, discriminator.trainable_variables)
    d_optimizer.apply_gradients(zip(d_grads, discriminator.trainable_variables))
    print(step, round(float(d_loss), 4), round(float(g_loss), 4))
print("discriminator changed:", bool(np.any(first != discriminator.get_weights()[0])))
