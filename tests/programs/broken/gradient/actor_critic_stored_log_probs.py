"""An actor-critic keeps the log-probabilities of the rollout and uses them later inside a tape: the actor gets None.

The actor ran while no tape was open; computed again inside the tape from the stored states, the log-probabilities
give every variable a gradient.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(9)
tf.keras.utils.set_random_seed(9)

actor = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh", input_shape=(3,)), tf.keras.layers.Dense(2)])
critic = tf.keras.Sequential([tf.keras.layers.Dense(8, activation="tanh", input_shape=(3,)), tf.keras.layers.Dense(1)])
actor_optimizer = tf.keras.optimizers.Adam(1e-2)
critic_optimizer = tf.keras.optimizers.Adam(1e-2)


class ToyEnvironment:
    def reset(self):
        self.position = rng.normal(size=3).astype("float32")
        return self.position

    def step(self, action):
        self.position = self.position * 0.9 + (0.1 if action == 1 else -0.1)
        return self.position.astype("float32"), float(-np.abs(self.position).sum())


def collect(env, length=6):
    states, actions, rewards, log_probs = [], [], [], []
    state = env.reset()
    for _ in range(length):
        logits = actor(state[None])  # why: TW102
        action = int(tf.argmax(logits[0]).numpy()) if rng.uniform() > 0.5 else int(rng.integers(2))
        log_probs.append(tf.nn.log_softmax(logits)[0, action])
        following, reward = env.step(action)
        states.append(state)
        actions.append(action)
        rewards.append(reward)
        state = following
    return np.array(states, "float32"), np.array(actions), np.array(rewards, "float32"), log_probs


def discounted(rewards, gamma=0.95):
    total, out = 0.0, []
    for r in rewards[::-1]:
        total = r + gamma * total
        out.append(total)
    return np.array(out[::-1], "float32")


env = ToyEnvironment()
for episode in range(3):
    states, actions, rewards, log_probs = collect(env)
    returns = discounted(rewards)
    with tf.GradientTape() as actor_tape, tf.GradientTape() as critic_tape:
        values = critic(states)[:, 0]
        advantage = tf.stop_gradient(returns - values)
        actor_loss = -tf.reduce_mean(tf.stack(log_probs) * advantage)
        critic_loss = tf.reduce_mean(tf.square(returns - values))
    actor_grads = actor_tape.gradient(actor_loss, actor.trainable_variables)
    critic_grads = critic_tape.gradient(critic_loss, critic.trainable_variables)
    critic_optimizer.apply_gradients(zip(critic_grads, critic.trainable_variables))
    actor_optimizer.apply_gradients(zip(actor_grads, actor.trainable_variables))
    print(episode, round(float(critic_loss), 4))
