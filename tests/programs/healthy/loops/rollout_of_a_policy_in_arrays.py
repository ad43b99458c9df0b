# A rollout writes states, actions and rewards into arrays, each write kept, in a traced loop with a break.
import tensorflow as tf


class Rollout:
    def __init__(self, policy, steps):
        self.policy = policy
        self.steps = steps

    def environment(self, state, action):
        state = 0.5 * state + 0.1 * action
        return state, -tf.reduce_sum(state**2), tf.reduce_max(tf.abs(state)) < 0.1

    @tf.function
    def run(self, state):
        states = tf.TensorArray(tf.float32, size=self.steps, element_shape=[2])
        rewards = tf.TensorArray(tf.float32, size=self.steps)
        total = 0.0
        count = 0
        for step in tf.range(self.steps):
            states = states.write(step, state)
            action = self.policy(state[None])[0]
            state, reward, done = self.environment(state, action)
            rewards = rewards.write(step, reward)
            total += reward
            count += 1
            if done:
                break
        return states.stack()[:count], rewards.stack()[:count], total


policy = tf.keras.Sequential([tf.keras.Input((2,)), tf.keras.layers.Dense(2, kernel_initializer="zeros")])
rollout = Rollout(policy, 8)
states, rewards, total = rollout.run(tf.constant([1.0, -1.0]))
print(states.shape, rewards.shape, round(float(total), 3))
