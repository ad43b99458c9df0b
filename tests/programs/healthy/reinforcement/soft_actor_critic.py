"""Soft actor-critic: twin critics, target networks, a learned temperature."""

import numpy as np
import tensorflow as tf


tf.random.set_seed(0)
rng = np.random.default_rng(0)


def mlp(n_in, n_out):
    return tf.keras.Sequential(
        [tf.keras.layers.Input((n_in,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(n_out)]
    )


actor = mlp(3, 4)
critics = [mlp(5, 1), mlp(5, 1)]
targets = [mlp(5, 1), mlp(5, 1)]
for c, t in zip(critics, targets):
    t.set_weights(c.get_weights())
    t.trainable = False
log_alpha = tf.Variable(0.0, name="log_alpha")
actor_opt, critic_opt, alpha_opt = (tf.keras.optimizers.Adam(3e-3) for _ in range(3))


def sample(s):
    mean, log_std = tf.split(actor(s), 2, axis=-1)
    std = tf.exp(tf.clip_by_value(log_std, -20.0, 2.0))
    u = mean + std * tf.random.normal(tf.shape(mean))
    a = tf.tanh(u)
    logp = tf.reduce_sum(
        -0.5 * ((u - mean) / std) ** 2 - tf.math.log(std) - tf.math.log(1 - a**2 + 1e-6), -1, keepdims=True
    )
    return a, logp


@tf.function
def update(s, a, r, s2, done):
    alpha = tf.exp(log_alpha)
    a2, logp2 = sample(s2)
    x2 = tf.concat([s2, a2], -1)
    y = tf.stop_gradient(r + 0.99 * (1 - done) * (tf.minimum(targets[0](x2), targets[1](x2)) - alpha * logp2))
    with tf.GradientTape() as tape:
        x = tf.concat([s, a], -1)
        critic_loss = tf.add_n([tf.reduce_mean((c(x) - y) ** 2) for c in critics])
    variables = critics[0].trainable_variables + critics[1].trainable_variables
    critic_opt.apply_gradients(zip(tape.gradient(critic_loss, variables), variables))
    with tf.GradientTape() as tape:
        new, logp = sample(s)
        x = tf.concat([s, new], -1)
        actor_loss = tf.reduce_mean(alpha * logp - tf.minimum(critics[0](x), critics[1](x)))
    actor_opt.apply_gradients(zip(tape.gradient(actor_loss, actor.trainable_variables), actor.trainable_variables))
    with tf.GradientTape() as tape:
        alpha_loss = -tf.reduce_mean(log_alpha * tf.stop_gradient(logp - 2.0))
    alpha_opt.apply_gradients([(tape.gradient(alpha_loss, log_alpha), log_alpha)])
    for c, t in zip(critics, targets):
        for v, w in zip(c.variables, t.variables):
            w.assign(0.995 * w + 0.005 * v)
    return critic_loss, actor_loss


for step in range(15):
    s, a, r, s2 = (rng.normal(size=(8, n)).astype("float32") for n in (3, 2, 1, 3))
    out = update(s, np.tanh(a), r, s2, np.zeros((8, 1), "float32"))
print("sac", np.isfinite([float(o) for o in out]).all())
