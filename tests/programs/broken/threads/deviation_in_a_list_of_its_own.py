import numpy as np
import tensorflow as tf


class Gaussian(tf.keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(16, activation="tanh")
        self.mean = tf.keras.layers.Dense(actions)

    def call(self, states):
        return self.mean(self.hidden(states))


class Policy(tf.Module):
    def __init__(self, actions):
        super().__init__()
        self.net = Gaussian(actions)
        self.log_std = [tf.Variable(-0.5 * np.ones(actions, dtype="float32"), name="log_std")]
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def log_prob(self, states, actions):
        mean = self.net(states)
        deviation = tf.exp(self.log_std[0])
        return tf.reduce_sum(-0.5 * ((actions - mean) / deviation) ** 2 - self.log_std[0], axis=1)

    def train(self, states, actions, advantages):
        with tf.GradientTape() as tape:
            loss = -tf.reduce_mean(self.log_prob(states, actions) * advantages)
        variables = self.net.trainable_variables + [self.log_std]
        gradients = tape.gradient(loss, variables)
        self.optimizer.apply_gradients(zip(gradients, variables))  # why: TW121
        return float(loss)


rng = np.random.default_rng(1)
policy = Policy(2)
for step in range(2):
    states = rng.normal(size=(16, 5)).astype("float32")
    actions = rng.normal(size=(16, 2)).astype("float32")
    print(policy.train(states, actions, rng.normal(size=16).astype("float32")))
