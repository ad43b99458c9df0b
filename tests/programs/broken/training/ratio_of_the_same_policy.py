"""The old probabilities are computed again by the policy that is trained: the ratio is always 1, and never moves."""

import tensorflow as tf

tf.random.set_seed(0)
policy = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(8, "tanh"), tf.keras.layers.Dense(2, "softmax")])
optimizer = tf.keras.optimizers.Adam(0.01)


def surrogate(new, old, chosen, advantage):
    taken = tf.gather(new, chosen, batch_dims=1)
    before = tf.gather(old, chosen, batch_dims=1)
    ratio = taken / (before + 1e-8)  # why: TW206
    clipped = tf.clip_by_value(ratio, 0.8, 1.2)
    return -tf.reduce_mean(tf.minimum(ratio * advantage, clipped * advantage))


states = tf.random.normal([32, 3])
chosen = tf.random.uniform([32], 0, 2, tf.int32)
advantage = tf.random.normal([32])
for step in range(8):
    with tf.GradientTape() as tape:
        loss = surrogate(policy(states), policy(states), chosen, advantage)
    grads = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(grads, policy.trainable_variables))
