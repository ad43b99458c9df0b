"""An agent keeps the variables of its network in a list, before the network has any."""

import numpy as np
import tensorflow as tf


class Actor(tf.keras.Model):
    def __init__(self, actions):
        super().__init__()
        self.first = tf.keras.layers.Dense(16, activation="relu")
        self.second = tf.keras.layers.Dense(actions)

    def call(self, states):
        return self.second(self.first(states))


class Agent:
    def __init__(self, states, actions):
        self.actor = Actor(actions)
        self.weights = self.actor.trainable_variables  # why: TW603
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    def act(self, state):
        return int(tf.random.categorical(self.actor(state[None]), 1, seed=1)[0, 0])

    def learn(self, states, actions, returns):
        with tf.GradientTape() as tape:
            logits = self.actor(states)
            chosen = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=actions, logits=logits)
            loss = tf.reduce_mean(chosen * returns)
        gradients = tape.gradient(loss, self.weights)
        self.optimizer.apply_gradients(zip(gradients, self.weights))
        return float(loss)


def play(agent, steps, rng):
    states = rng.normal(size=(steps, 4)).astype("float32")
    actions = [agent.act(tf.constant(state)) for state in states]
    returns = np.cumsum(rng.random(steps))[::-1].astype("float32")
    return tf.constant(states), tf.constant(actions), tf.constant(returns.copy())


rng = np.random.default_rng(0)
agent = Agent(4, 2)
for _ in range(2):
    print(agent.learn(*play(agent, 5, rng)))
