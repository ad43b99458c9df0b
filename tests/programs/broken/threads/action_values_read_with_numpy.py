import numpy as np
import tensorflow as tf


class Agent:
    def __init__(self):
        self.q = tf.keras.Sequential(
            [tf.keras.Input((4,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)]
        )
        self.optimizer = tf.keras.optimizers.Adam(1e-3)
        self.memory = []

    def remember(self, *transition):
        self.memory.append(transition)

    def replay(self):
        states, actions, rewards, next_states = (np.array(part) for part in zip(*self.memory))
        targets = rewards + 0.99 * np.max(self.q(next_states).numpy(), axis=1)
        with tf.GradientTape() as tape:
            values = self.q(states)
            chosen = values.numpy()[np.arange(len(actions)), actions]  # why: TW110
            loss = tf.reduce_mean(tf.square(targets - chosen))
        gradients = tape.gradient(loss, self.q.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.q.trainable_variables))


agent = Agent()
rng = np.random.default_rng(0)
for _ in range(8):
    agent.remember(
        rng.normal(size=4).astype("float32"), rng.integers(2), float(rng.normal()), rng.normal(size=4).astype("float32")
    )
agent.replay()
