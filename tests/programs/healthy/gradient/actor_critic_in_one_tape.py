"""Actor-critic: actions are sampled in NumPy and used as indices; the log-probabilities carry the gradient."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(149)
rng = np.random.default_rng(149)
trunk = tf.keras.layers.Dense(12, activation="relu")
actor, critic = tf.keras.layers.Dense(2), tf.keras.layers.Dense(1)
optimizer = tf.keras.optimizers.Adam(0.01)
huber = tf.keras.losses.Huber(reduction="sum" if hasattr(tf.keras, "ops") else tf.keras.losses.Reduction.SUM)
eps = np.finfo(np.float32).eps.item()

for episode in range(3):
    state = rng.normal(size=(1, 4)).astype("float32")
    log_probs, values, rewards = [], [], []
    with tf.GradientTape() as tape:
        for _t in range(6):
            h = trunk(tf.convert_to_tensor(state))
            probabilities = tf.nn.softmax(actor(h))
            values.append(critic(h)[0, 0])
            p = np.squeeze(probabilities).astype("float64")
            action = int(rng.choice(2, p=p / p.sum()))
            log_probs.append(tf.math.log(probabilities[0, action]))
            state = (0.9 * state + 0.2 * (2 * action - 1)).astype("float32")
            rewards.append(-abs(float(state.sum())))
        returns, running = [], 0.0
        for r in rewards[::-1]:
            running = r + 0.99 * running
            returns.insert(0, running)
        returns = np.array(returns)
        returns = (returns - returns.mean()) / (returns.std() + eps)
        actor_losses, critic_losses = [], []
        for log_prob, value, ret in zip(log_probs, values, returns.tolist()):
            actor_losses.append(-log_prob * (ret - tf.stop_gradient(value)))
            critic_losses.append(huber(tf.expand_dims(tf.constant(ret, tf.float32), 0), tf.expand_dims(value, 0)))
        loss = sum(actor_losses) + sum(critic_losses)
    variables = trunk.trainable_variables + actor.trainable_variables + critic.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
    print(episode, len(rewards), bool(np.isfinite(float(loss))))
