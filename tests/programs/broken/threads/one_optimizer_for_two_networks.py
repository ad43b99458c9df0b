# requires: keras3
import tensorflow as tf

generator = tf.keras.Sequential(
    [tf.keras.Input((2,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(4)]
)
discriminator = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)]
)
optimizer = tf.keras.optimizers.Adam(1e-3)  # why: TW603
bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)


def step(real):
    with tf.GradientTape() as gen_tape, tf.GradientTape() as disc_tape:
        fake = generator(tf.random.normal([len(real), 2]))
        fake_score, real_score = discriminator(fake), discriminator(real)
        gen_loss = bce(tf.ones_like(fake_score), fake_score)
        disc_loss = bce(tf.ones_like(real_score), real_score) + bce(tf.zeros_like(fake_score), fake_score)
    gen_gradients = gen_tape.gradient(gen_loss, generator.trainable_variables)
    disc_gradients = disc_tape.gradient(disc_loss, discriminator.trainable_variables)
    optimizer.apply_gradients(zip(gen_gradients, generator.trainable_variables))
    optimizer.apply_gradients(zip(disc_gradients, discriminator.trainable_variables))


step(tf.random.normal([6, 4]))
