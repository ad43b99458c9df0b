"""A GAN opens both tapes in one `with`, and asks the second of them for the gradients of both networks.

When each tape is asked for its own network, both train.
"""

import tensorflow as tf

tf.keras.utils.set_random_seed(7)
generator = tf.keras.Sequential([tf.keras.layers.Dense(4)])
critic = tf.keras.Sequential([tf.keras.layers.Dense(1)])
g_opt, d_opt = tf.keras.optimizers.SGD(0.01), tf.keras.optimizers.SGD(0.01)


@tf.function
def train_step(real, noise):
    with tf.GradientTape() as g_tape, tf.GradientTape() as d_tape:  # why: TW120
        fake_score = critic(generator(noise))
        g_loss = -tf.reduce_mean(fake_score)
        d_loss = tf.reduce_mean(fake_score) - tf.reduce_mean(critic(real))
    g_gradients = d_tape.gradient(g_loss, generator.trainable_variables)
    d_gradients = d_tape.gradient(d_loss, critic.trainable_variables)
    g_opt.apply_gradients(zip(g_gradients, generator.trainable_variables))
    d_opt.apply_gradients(zip(d_gradients, critic.trainable_variables))


for _ in range(3):
    train_step(tf.random.normal([8, 4]), tf.random.normal([8, 2]))
