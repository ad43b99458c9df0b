"""Trust regions: a KL whose gradient is zero where it is taken, its Hessian times a vector, a line search."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(83)
policy = keras.Sequential([keras.Input((4,)), layers.Dense(12, "tanh"), layers.Dense(3)])
critic = keras.Sequential([keras.Input((4,)), layers.Dense(12, "tanh"), layers.Dense(1)])
value_opt = keras.optimizers.Adam(1e-2)
params = policy.trainable_variables


def flat(tensors):
    return tf.concat([tf.reshape(t, [-1]) for t in tensors], 0)


def set_flat(theta):
    at = 0
    for p in params:
        size = int(np.prod(p.shape))
        p.assign(tf.reshape(theta[at : at + size], p.shape))
        at += size


def kl_to_itself(states):
    logits = policy(states)
    old = tf.stop_gradient(tf.nn.log_softmax(logits))
    return tf.reduce_mean(tf.reduce_sum(tf.exp(old) * (old - tf.nn.log_softmax(logits)), 1))


def fisher_vector(states, v, damping=0.1):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            kl = kl_to_itself(states)
        g = flat(inner.gradient(kl, params))
        dot = tf.reduce_sum(g * v)
    return flat(outer.gradient(dot, params)) + damping * v


def conjugate(apply, b, steps=5):
    x, r, p = tf.zeros_like(b), b, b
    rr = tf.reduce_sum(r * r)
    for _ in range(steps):
        ap = apply(p)
        alpha = rr / (tf.reduce_sum(p * ap) + 1e-8)
        x, r = x + alpha * p, r - alpha * ap
        new = tf.reduce_sum(r * r)
        if new < 1e-10:
            break
        p, rr = r + new / rr * p, new
    return x


def surrogate(states, actions, advantages, old_log_p):
    log_p = tf.gather(tf.nn.log_softmax(policy(states)), actions, batch_dims=1)
    return tf.reduce_mean(tf.exp(log_p - old_log_p) * advantages)


rng = np.random.default_rng(0)
for iteration in range(3):
    states = tf.constant(rng.normal(size=(32, 4)).astype("float32"))
    actions = tf.random.categorical(policy(states), 1)[:, 0]
    returns = tf.where(actions == tf.cast(states[:, 0] > 0, tf.int64), 1.0, 0.0)
    advantages = returns - critic(states).numpy()[:, 0]
    advantages = (advantages - tf.reduce_mean(advantages)) / (tf.math.reduce_std(advantages) + 1e-8)
    old_log_p = tf.gather(tf.nn.log_softmax(policy(states)), actions, batch_dims=1)
    old_logits = policy(states)
    with tf.GradientTape() as tape:
        gain = surrogate(states, actions, advantages, old_log_p)
    g = flat(tape.gradient(gain, params))
    direction = conjugate(lambda v: fisher_vector(states, v), g)
    scale = tf.sqrt(2 * 0.01 / (tf.reduce_sum(direction * fisher_vector(states, direction)) + 1e-8))
    theta = flat(params)
    for k in range(8):
        set_flat(theta + 0.5**k * scale * direction)
        new = surrogate(states, actions, advantages, old_log_p)
        old_p = tf.nn.log_softmax(old_logits)
        kl = tf.reduce_mean(tf.reduce_sum(tf.exp(old_p) * (old_p - tf.nn.log_softmax(policy(states))), 1))
        if new > gain and kl < 0.015:
            break
    else:
        set_flat(theta)
    for _ in range(3):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((critic(states)[:, 0] - returns) ** 2)
        value_opt.apply_gradients(zip(tape.gradient(loss, critic.trainable_variables), critic.trainable_variables))
    print(iteration, k, f"{float(kl):.5f} {float(loss):.4f}")
