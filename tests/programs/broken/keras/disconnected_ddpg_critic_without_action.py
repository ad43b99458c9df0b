# The critic judges a state and an action, and its model has the state only.
import numpy as np
import tensorflow as tf
from tensorflow.keras import Input, Model
from tensorflow.keras.layers import Concatenate, Dense


class Agent:
    def __init__(self, states, actions):
        self.states, self.actions = states, actions
        self.actor = self.make_actor()
        self.critic = self.make_critic()
        self.target_critic = self.make_critic()
        self.target_critic.set_weights(self.critic.get_weights())

    def make_actor(self):
        state = Input((self.states,))
        x = Dense(16, activation="relu")(state)
        return Model(state, Dense(self.actions, activation="tanh")(x))

    def make_critic(self):
        state = Input((self.states,), name="state")
        action = Input((self.actions,), name="action")
        of_state = Dense(16, activation="relu")(state)
        of_action = Dense(16, activation="relu")(action)
        x = Concatenate()([of_state, of_action])
        x = Dense(16, activation="relu")(x)
        return Model(inputs=state, outputs=Dense(1)(x))  # why: TW305

    def learn(self, state, action, target):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((self.critic([state, action]) - target) ** 2)
        return tape.gradient(loss, self.critic.trainable_variables)


agent = Agent(3, 1)
agent.learn(np.zeros((8, 3), "float32"), np.zeros((8, 1), "float32"), np.zeros((8, 1), "float32"))
