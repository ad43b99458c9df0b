"""A deterministic actor squashes actions of size one hundred with tanh: it is exactly 1 or -1, its gradient is zero.

The actor's weights stay as they are; with states of size one the gradients are not zero.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(84)
rng = np.random.default_rng(84)
states = tf.constant(np.abs(rng.normal(size=(24, 3))) * 1000.0 + 500.0, tf.float32)

actor_kernel = tf.Variable(tf.constant([[0.9, -0.8], [0.7, -0.9], [0.8, -0.6]]))
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])


def act(observation):
    return tf.tanh(tf.matmul(observation, actor_kernel))  # why: TW202


def value(observation, action):
    return critic(tf.concat([observation / 1000.0, action], axis=1))


for update in range(6):
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(value(states, act(states)))
    gradient = tape.gradient(loss, actor_kernel)
    actor_kernel.assign_sub(0.1 * gradient)
    print(update, round(float(loss), 4), float(tf.norm(gradient)))
