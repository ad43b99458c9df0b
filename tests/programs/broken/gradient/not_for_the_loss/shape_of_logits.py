"""Exploration noise of the right shape, and the logits forgotten."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
policy = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="tanh"), tf.keras.layers.Dense(3)])
critic = tf.keras.layers.Dense(1)
adam = tf.keras.optimizers.Adam(0.01)
policy.build((None, 4))
critic.build((None, 3))


class Explorer:
    def __init__(self, spread):
        self.spread = spread

    def act(self, logits):
        return tf.tanh(self.spread * tf.random.normal(tf.shape(logits)))  # why: TW115


explorer = Explorer(0.1)
for _ in range(3):
    states = tf.random.normal((8, 4))
    with tf.GradientTape() as tape:
        loss = -tf.reduce_mean(critic(explorer.act(policy(states))))
    weights = policy.trainable_weights + critic.trainable_weights
    grads = tape.gradient(loss, weights)
    for g, w in zip(grads, weights):
        if g is None:
            continue
        w.assign_sub(0.01 * g)
print("done")
