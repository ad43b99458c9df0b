"""A gradient penalty on a critic with softsign activations: the second derivative raises LookupError.

The first gradient exists; the gradient of `SoftsignGrad` is not registered. With tanh instead the penalty works.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(31)
rng = np.random.default_rng(31)


class Critic(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8)
        self.score = tf.keras.layers.Dense(1)

    def call(self, inputs):
        squashed = tf.nn.softsign(self.hidden(inputs))  # why: TW107
        return self.score(squashed)


critic = Critic()
optimizer = tf.keras.optimizers.Adam(1e-3)


def penalty(real, fake):
    mix = tf.random.uniform([tf.shape(real)[0], 1], seed=1)
    between = mix * real + (1.0 - mix) * fake
    with tf.GradientTape() as inner:
        inner.watch(between)
        scores = critic(between)
    slopes = inner.gradient(scores, between)
    norms = tf.sqrt(tf.reduce_sum(slopes**2, axis=1) + 1e-12)
    return tf.reduce_mean((norms - 1.0) ** 2)


real = tf.constant(rng.normal(1.0, 0.2, size=(16, 2)), tf.float32)
fake = tf.constant(rng.normal(-1.0, 0.2, size=(16, 2)), tf.float32)
for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(fake)) - tf.reduce_mean(critic(real)) + 10.0 * penalty(real, fake)
    grads = tape.gradient(loss, critic.trainable_variables)
    optimizer.apply_gradients(zip(grads, critic.trainable_variables))
    print(step, round(float(loss), 4))
