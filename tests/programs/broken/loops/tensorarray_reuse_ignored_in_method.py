# The array is an attribute, and what `write` gives back is dropped.
import tensorflow as tf


class Rollout:
    def __init__(self, policy, steps):
        self.policy = policy
        self.steps = steps

    def environment(self, state, action):
        state = 0.9 * state + 0.1 * action
        return state, -tf.reduce_sum(state**2)

    def collect(self, rewards, step, reward):
        rewards.write(step, reward)  # why: TW507

    @tf.function
    def run(self, state):
        rewards = tf.TensorArray(tf.float32, size=self.steps)
        for step in tf.range(self.steps):
            action = self.policy(state[None])[0]
            state, reward = self.environment(state, action)
            self.collect(rewards, step, reward)
        return rewards.stack()


policy = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2, activation="tanh")])
rollout = Rollout(policy, 5)
rewards = rollout.run(tf.constant([1.0, -1.0]))
print(rewards.shape)
