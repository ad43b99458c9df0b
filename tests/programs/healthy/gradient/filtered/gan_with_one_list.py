"""A GAN whose two steps ask for all weights of both parts, and leave out what is not theirs."""

import tensorflow as tf

tf.keras.utils.set_random_seed(1)
generator = tf.keras.Sequential([tf.keras.layers.Dense(2)])
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(1)])
generator.build((None, 3))
critic.build((None, 2))
opt_g, opt_c = tf.keras.optimizers.SGD(0.01), tf.keras.optimizers.SGD(0.01)
everything = generator.trainable_variables + critic.trainable_variables
for _ in range(3):
    real, noise = tf.random.normal((16, 2)), tf.random.normal((16, 3))
    fake = generator(noise)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real))
    pairs = [(g, v) for g, v in zip(tape.gradient(loss, everything), everything) if g is not None]
    opt_c.apply_gradients(pairs)
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(generator(noise)))
    opt_g.apply_gradients(zip(tape.gradient(loss, generator.trainable_variables), generator.trainable_variables))
print("done")
