import numpy as np
import tensorflow as tf

from agent import TD3

tf.keras.utils.set_random_seed(9)
rng = np.random.default_rng(9)
agent = TD3(state_size=4, action_size=2, policy_delay=2)
for it in range(12):
    states = tf.constant(rng.normal(size=(32, 4)).astype("float32"))
    actions = tf.constant(rng.uniform(-1, 1, size=(32, 2)).astype("float32"))
    rewards = tf.constant(rng.normal(size=(32, 1)).astype("float32"))
    following = tf.constant(rng.normal(size=(32, 4)).astype("float32"))
    agent.learn(states, actions, rewards, following)
print("updates", agent.updates)
