"""Asynchronous actor-critic: threads with local copies, whose gradients are applied to the shared network under a lock."""

import threading

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(59)
S, A = 4, 2


class ActorCritic(keras.Model):
    def __init__(self):
        super().__init__()
        self.common, self.policy, self.value = layers.Dense(16, "relu"), layers.Dense(A), layers.Dense(1)

    def call(self, x):
        h = self.common(x)
        return self.policy(h), self.value(h)


class Worker(threading.Thread):
    def __init__(self, index, shared, optimizer, lock, log):
        super().__init__()
        self.index, self.shared, self.optimizer, self.lock, self.log = index, shared, optimizer, lock, log
        self.local = ActorCritic()
        self.local(tf.zeros((1, S)))
        self.rng = np.random.default_rng(index)

    def rollout(self, n=5):
        state, states, actions, rewards = self.rng.normal(size=S).astype("float32"), [], [], []
        for _ in range(n):
            logits, _ = self.local(state[None])
            p = tf.nn.softmax(logits).numpy()[0].astype("float64")
            action = self.rng.choice(A, p=p / p.sum())
            states.append(state), actions.append(action)
            state = (0.9 * state + 0.1 * (action - 0.5) + 0.05 * self.rng.normal(size=S)).astype("float32")
            rewards.append(float(-abs(state[0])))
        return np.stack(states), np.array(actions), rewards, state

    def run(self):
        for episode in range(4):
            states, actions, rewards, last = self.rollout()
            bootstrap = float(self.local(last[None])[1][0, 0])
            returns = []
            for r in reversed(rewards):
                bootstrap = r + 0.99 * bootstrap
                returns.insert(0, bootstrap)
            with tf.GradientTape() as tape:
                logits, values = self.local(tf.constant(states))
                advantage = tf.constant(returns, tf.float32) - values[:, 0]
                log_p = tf.nn.log_softmax(logits)
                policy = tf.nn.sparse_softmax_cross_entropy_with_logits(
                    labels=actions, logits=logits
                ) * tf.stop_gradient(advantage)
                entropy = -tf.reduce_sum(tf.exp(log_p) * log_p, 1)
                loss = tf.reduce_mean(policy + 0.5 * advantage**2 - 0.01 * entropy)
            grads = tape.gradient(loss, self.local.trainable_weights)
            with self.lock:
                self.optimizer.apply_gradients(zip(grads, self.shared.trainable_weights))
                self.local.set_weights(self.shared.get_weights())
                self.log.append(float(loss))


shared = ActorCritic()
shared(tf.zeros((1, S)))
optimizer, lock, log = keras.optimizers.Adam(1e-3), threading.Lock(), []
if hasattr(optimizer, "build"):
    optimizer.build(shared.trainable_variables)
workers = [Worker(i, shared, optimizer, lock, log) for i in range(3)]
for w in workers:
    w.start()
for w in workers:
    w.join()
print(len(log), np.isfinite(log).all())
