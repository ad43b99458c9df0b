"""REINFORCE in Keras: the advantage is an Input that only the loss uses."""
import numpy as np
from tensorflow.keras import Model, backend as K, layers, optimizers
import tensorflow as tf


class Agent:
    def __init__(self, states=4, actions=2, gamma=0.99):
        self.actions, self.gamma = actions, gamma
        self.actor, self.critic, self.policy = self.build(states)

    def build(self, states):
        state = layers.Input(shape=(states,))
        delta = layers.Input(shape=(1,))
        x = layers.Dense(32, activation="relu")(state)
        probabilities = layers.Dense(self.actions, activation="softmax")(x)
        value = layers.Dense(1)(x)

        def custom_loss(y_true, y_pred):
            out = tf.clip_by_value(y_pred, 1e-8, 1 - 1e-8)
            log_lik = y_true * tf.math.log(out)
            return tf.reduce_sum(-log_lik * delta)  # why: TW303

        actor = Model([state, delta], probabilities)
        actor.compile(optimizer=optimizers.Adam(1e-3), loss=custom_loss)
        critic = Model(state, value)
        critic.compile(optimizer=optimizers.Adam(1e-3), loss="mse")
        return actor, critic, Model(state, probabilities)

    def learn(self, state, action, reward, next_state):
        target = reward + self.gamma * self.critic.predict(next_state, verbose=0)
        delta = target - self.critic.predict(state, verbose=0)
        self.actor.fit([state, delta], np.eye(self.actions)[[action]], verbose=0)
        self.critic.fit(state, target, verbose=0)


def main():
    agent = Agent()
    state = np.random.rand(1, 4)
    for _ in range(3):
        following = np.random.rand(1, 4)
        agent.learn(state, 1, 0.5, following)
        state = following


main()
