"""Two losses of one tape, asked about by a helper that is called once for each."""

import tensorflow as tf

tf.keras.utils.set_random_seed(0)
actor, critic = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.SGD(0.1)


def update(recording, value, layer):
    slopes = recording.gradient(value, layer.trainable_variables)
    optimizer.apply_gradients(zip(slopes, layer.trainable_variables))


def step(x):
    with tf.GradientTape() as both:  # why: TW120
        policy, error = tf.reduce_mean(actor(x)), tf.reduce_mean(critic(x) ** 2)
    update(both, policy, actor)
    update(both, error, critic)


step(tf.ones([2, 3]))
