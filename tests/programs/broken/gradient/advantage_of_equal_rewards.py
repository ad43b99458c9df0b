"""Every episode gives the same rewards, so that the normalised advantage that weighs the policy gradient is zero."""

import numpy as np
import tensorflow as tf
tf.random.set_seed(1)
rng = np.random.default_rng(0)
policy = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh"), tf.keras.layers.Dense(2)])
opt = tf.keras.optimizers.Adam(0.01)

@tf.function
def train(states, actions, advantages):
    with tf.GradientTape() as tape:
        logits = policy(states)
        logp = tf.nn.log_softmax(logits)
        chosen = tf.reduce_sum(logp * tf.one_hot(actions, 2), axis=1)
        loss = -tf.reduce_mean(chosen * advantages)
    grads = tape.gradient(loss, policy.trainable_variables)
    opt.apply_gradients(zip(grads, policy.trainable_variables))
    return loss

def normalise(returns):
    return (returns - returns.mean()) / (returns.std() + 1e-8)

for _ in range(8):
    states = rng.normal(size=(20, 4)).astype("float32")
    actions = rng.integers(0, 2, size=20)
    rewards = np.ones(20, "float32")
    advantages = normalise(rewards)  # why: TW204
    loss = train(states, actions, advantages)
print(float(loss))
