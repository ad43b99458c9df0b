"""PPO with stored old log-probabilities and stopped advantages, several epochs on one rollout."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(105)
rng = np.random.default_rng(105)

policy = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="tanh"), tf.keras.layers.Dense(3)])
value = tf.keras.Sequential([tf.keras.layers.Dense(10, activation="tanh"), tf.keras.layers.Dense(1)])
p_optimizer = tf.keras.optimizers.Adam(0.005)
v_optimizer = tf.keras.optimizers.Adam(0.005)


def log_prob(logits, actions):
    return tf.gather(tf.nn.log_softmax(logits), actions, batch_dims=1)


states = rng.normal(size=(40, 4)).astype("float32")
logits = policy(states)
actions = tf.random.categorical(logits, 1, seed=3)[:, 0]
old_log_probs = log_prob(logits, actions)
rewards = states[:, 0] * (actions.numpy() - 1)
returns = (rewards + 0.9 * np.roll(rewards, -1)).astype("float32")

for epoch in range(4):
    with tf.GradientTape() as p_tape:
        ratio = tf.exp(log_prob(policy(states), actions) - old_log_probs)
        advantages = tf.stop_gradient(returns - value(states)[:, 0])
        advantages = (advantages - tf.reduce_mean(advantages)) / (tf.math.reduce_std(advantages) + 1e-8)
        clipped = tf.clip_by_value(ratio, 0.8, 1.2)
        p_loss = -tf.reduce_mean(tf.minimum(ratio * advantages, clipped * advantages))
    p_grads = p_tape.gradient(p_loss, policy.trainable_variables)
    p_grads, _ = tf.clip_by_global_norm(p_grads, 0.5)
    p_optimizer.apply_gradients(zip(p_grads, policy.trainable_variables))
    with tf.GradientTape() as v_tape:
        v_loss = tf.reduce_mean(tf.square(returns - value(states)[:, 0]))
    v_optimizer.apply_gradients(zip(v_tape.gradient(v_loss, value.trainable_variables), value.trainable_variables))
    print(epoch, round(float(p_loss), 5), round(float(v_loss), 5))
