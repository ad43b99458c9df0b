"""PPO: trajectories, generalised advantages, log-probabilities by one-hot, early stop on KL, value regression."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(33)
rng = np.random.default_rng(33)


def mlp(x, sizes, activation="tanh", output_activation=None):
    for size in sizes[:-1]:
        x = keras.layers.Dense(size, activation=activation)(x)
    return keras.layers.Dense(sizes[-1], activation=output_activation)(x)


observation_input = keras.Input((4,), dtype="float32")
actor = keras.Model(observation_input, mlp(observation_input, [8, 2]))
squeezed = keras.layers.Reshape(())(mlp(observation_input, [8, 1]))
critic = keras.Model(observation_input, squeezed)
policy_optimizer, value_optimizer = keras.optimizers.Adam(3e-4), keras.optimizers.Adam(1e-3)


def logprobabilities(logits, a):
    return tf.reduce_sum(tf.one_hot(a, 2) * tf.nn.log_softmax(logits), axis=1)


def discounted(values, rate):
    out, running = np.zeros_like(values), 0.0
    for i in reversed(range(len(values))):
        running = out[i] = values[i] + rate * running
    return out


@tf.function
def sample_action(observation):
    logits = actor(observation)
    return logits, tf.squeeze(tf.random.categorical(logits, 1), axis=1)


@tf.function
def train_policy(observations, actions, old, advantages):
    with tf.GradientTape() as tape:
        ratio = tf.exp(logprobabilities(actor(observations), actions) - old)
        limit = tf.where(advantages > 0, 1.2 * advantages, 0.8 * advantages)
        policy_loss = -tf.reduce_mean(tf.minimum(ratio * advantages, limit))
    grads = tape.gradient(policy_loss, actor.trainable_variables)
    policy_optimizer.apply_gradients(zip(grads, actor.trainable_variables))
    return tf.reduce_mean(old - logprobabilities(actor(observations), actions))


@tf.function
def train_value(observations, returns):
    with tf.GradientTape() as tape:
        value_loss = tf.reduce_mean((returns - critic(observations)) ** 2)
    grads = tape.gradient(value_loss, critic.trainable_variables)
    value_optimizer.apply_gradients(zip(grads, critic.trainable_variables))
    return value_loss


updates = 0
for _epoch in range(2):
    observations, actions, rewards, values, old = [], [], [], [], []
    state = rng.normal(size=(1, 4)).astype("float32")
    for _ in range(20):
        logits, action = sample_action(state)
        observations.append(state[0])
        actions.append(int(action[0].numpy()))
        values.append(float(critic(state)[0]))
        old.append(float(logprobabilities(logits, action)[0]))
        rewards.append(float(-np.abs(state).sum()))
        state = (0.9 * state + rng.normal(size=(1, 4)) * 0.1).astype("float32")
    rewards, values = np.array(rewards, "float32"), np.array([*values, 0.0], "float32")
    advantages = discounted(rewards + 0.99 * values[1:] - values[:-1], 0.95)
    advantages = ((advantages - advantages.mean()) / advantages.std()).astype("float32")
    returns = discounted(rewards, 0.99).astype("float32")
    batch = np.array(observations), np.array(actions), np.array(old, "float32"), advantages
    for _ in range(3):
        kl = train_policy(*batch)
        updates += 1
        if kl > 0.5:
            break
    for _ in range(3):
        train_value(batch[0], returns)
print(updates)
