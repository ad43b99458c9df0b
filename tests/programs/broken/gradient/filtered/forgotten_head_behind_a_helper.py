"""A policy with an auxiliary head; the loss forgets the head, and the loop leaves out what got no gradient."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(3)


class Policy(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.trunk = tf.keras.layers.Dense(8, activation="tanh")
        self.actor = tf.keras.layers.Dense(3)
        self.critic = tf.keras.layers.Dense(1)

    def call(self, states):
        hidden = self.trunk(states)
        return self.actor(hidden), self.critic(hidden)


def present(gradients, variables):
    return [(g, v) for g, v in zip(gradients, variables) if g is not None]


policy = Policy()
optimizer = tf.keras.optimizers.Adam(0.01)
rng = np.random.default_rng(0)
states = tf.constant(rng.normal(size=(32, 4)), tf.float32)
actions = tf.constant(rng.integers(0, 3, 32))
returns = tf.constant(rng.normal(size=32), tf.float32)
for _ in range(5):
    with tf.GradientTape() as tape:
        logits, values = policy(states)  # why: TW115
        advantage = returns - tf.reduce_mean(returns)
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(actions, logits) * advantage)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(present(gradients, policy.trainable_variables))
print(float(loss))
