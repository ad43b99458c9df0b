# Each network is trained with its own gradients while the other one takes part in the computation.
import numpy as np
import tensorflow as tf
from tensorflow import keras

generator = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(2)])
discriminator = keras.Sequential([keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
optimizers = [keras.optimizers.Adam(1e-3), keras.optimizers.Adam(1e-3)]
crossentropy = keras.losses.BinaryCrossentropy(from_logits=True)


@tf.function
def step(real):
    noise = tf.random.normal((8, 3))
    with tf.GradientTape() as tape_g, tf.GradientTape() as tape_d:
        fake = generator(noise, training=True)
        real_score, fake_score = discriminator(real, training=True), discriminator(fake, training=True)
        loss_g = crossentropy(tf.ones_like(fake_score), fake_score)
        loss_d = crossentropy(tf.ones_like(real_score), real_score) + crossentropy(
            tf.zeros_like(fake_score), fake_score
        )
    for tape, loss, model, optimizer in (
        (tape_g, loss_g, generator, optimizers[0]),
        (tape_d, loss_d, discriminator, optimizers[1]),
    ):
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables))


data = np.random.default_rng(0).normal(size=(8, 2)).astype("float32")
generator(np.zeros((8, 3), "float32")), discriminator(data)
for _ in range(2):
    step(data)
