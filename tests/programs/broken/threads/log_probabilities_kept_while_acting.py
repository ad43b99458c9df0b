import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self, actions=3):
        self.policy = tf.keras.Sequential(
            [tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(actions)]
        )
        self.optimizer = tf.keras.optimizers.Adam(3e-3)
        self.log_probs, self.rewards = [], []

    def act(self, state):
        logits = self.policy(state[None])  # why: TW102
        action = int(tf.random.categorical(logits, 1)[0, 0])
        self.log_probs.append(tf.nn.log_softmax(logits)[0, action])
        return action

    def learn(self):
        returns = np.cumsum(self.rewards[::-1])[::-1].astype("float32")
        with tf.GradientTape() as tape:
            loss = -tf.reduce_sum(tf.stack(self.log_probs) * returns)
        gradients = tape.gradient(loss, self.policy.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.policy.trainable_variables))


agent = Agent()
rng = np.random.default_rng(0)
for episode in range(2):
    state = rng.normal(size=4).astype("float32")
    for step in range(5):
        action = agent.act(state)
        agent.rewards.append(float(action == 1))
        state = rng.normal(size=4).astype("float32")
    agent.learn()
