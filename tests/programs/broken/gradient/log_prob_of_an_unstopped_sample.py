"""A Gaussian policy: the action is sampled from the mean, and the gradient of its log-probability goes through it."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(1)


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(16, activation="tanh")
        self.mean = tf.keras.layers.Dense(2)

    def call(self, states):
        return self.mean(self.hidden(states))


class Gaussian:
    def __init__(self, mean, std):
        self.mean, self.std = mean, std

    def sample(self):
        return self.mean + self.std * tf.random.normal(tf.shape(self.mean))

    def log_prob(self, actions):
        z = (actions - self.mean) / self.std  # why: TW206
        return -tf.reduce_sum(0.5 * tf.square(z) + np.log(self.std) + 0.92, axis=-1)


def rewards_of(states, actions):
    return -tf.reduce_sum(tf.square(actions - states[:, :2]), axis=-1)


policy, optimizer = Policy(), tf.keras.optimizers.SGD(0.01)
for update in range(10):
    states = tf.random.normal([32, 4])
    with tf.GradientTape() as tape:
        distribution = Gaussian(policy(states), 0.5)
        actions = distribution.sample()
        rewards = tf.stop_gradient(rewards_of(states, actions))
        loss = -tf.reduce_mean(distribution.log_prob(actions) * (rewards - tf.reduce_mean(rewards)))
    weights = policy.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
    print(update, float(tf.reduce_mean(rewards)))
