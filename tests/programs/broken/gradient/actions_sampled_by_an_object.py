"""A policy gives a distribution of the program's own, which draws its actions with NumPy."""

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
np.random.seed(0)


class Gaussian:
    """A diagonal normal distribution."""

    def __init__(self, loc, scale):
        self.loc = loc
        self.scale = scale

    def sample(self):
        return np.random.normal(self.loc, self.scale).astype("float32")  # why: TW110

    def entropy(self):
        return tf.reduce_sum(tf.math.log(self.scale), axis=-1)


class Policy(tf.Module):
    def __init__(self, actions):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(8, activation="tanh")
        self.mean = tf.keras.layers.Dense(actions)

    def __call__(self, observations):
        mean = self.mean(self.hidden(observations))
        return Gaussian(mean, 0.2 * tf.ones_like(mean))


def reward(actions):
    return -tf.reduce_sum(tf.square(actions - 1.0), axis=-1)


policy = Policy(actions=2)
observations = tf.random.normal((16, 3))
with tf.GradientTape() as tape:
    distribution = policy(observations)
    actions = distribution.sample()
    loss = -tf.reduce_mean(reward(tf.constant(actions)))
weights = [*policy.hidden.trainable_variables, *policy.mean.trainable_variables]
gradients = tape.gradient(loss, weights)
print([gradient is None for gradient in gradients])

with tf.GradientTape() as tape:
    drawn = policy(observations).sample()
    loss = -tf.reduce_mean(reward(tf.constant(drawn)))
print([gradient is None for gradient in tape.gradient(loss, weights)])
