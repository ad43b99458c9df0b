# Rewards are kept in a list while a loop is traced, and added up behind it: one of them is left.
import tensorflow as tf


class Rollout(tf.Module):
    def __init__(self, dynamics, policy):
        super().__init__()
        self.dynamics = dynamics
        self.policy = policy

    def step(self, state):
        action = self.policy(state)
        return state + self.dynamics(tf.concat([state, action], axis=-1)), action

    @tf.function
    def simulate(self, state, horizon):
        rewards = []
        for _ in tf.range(horizon):
            state, action = self.step(state)
            rewards.append(-tf.reduce_sum(state**2, axis=-1) - 0.1 * tf.reduce_sum(action**2, axis=-1))  # why: TW505
        return tf.add_n(rewards)

    def improve(self, optimizer, state, horizon):
        with tf.GradientTape() as tape:
            value = -tf.reduce_mean(self.simulate(state, horizon))
        variables = self.policy.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(value, variables), variables))
        return value


dynamics = tf.keras.Sequential([tf.keras.layers.Dense(3, input_shape=(4,))])
policy = tf.keras.Sequential([tf.keras.layers.Dense(1, activation="tanh", input_shape=(3,))])
rollout = Rollout(dynamics, policy)
rollout.improve(tf.keras.optimizers.Adam(), tf.ones([2, 3]), tf.constant(5))
