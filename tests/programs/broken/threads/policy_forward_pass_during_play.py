import numpy as np
import tensorflow as tf

tf.random.set_seed(4)
policy = tf.keras.Sequential(
    [tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(2, activation="softmax")]
)
optimizer = tf.keras.optimizers.Adam(1e-2)


def play(rng, length):
    log_probabilities, rewards = [], []
    state = rng.normal(size=(1, 4)).astype("float32")
    for _ in range(length):
        probabilities = policy(state)  # why: TW102
        action = rng.choice(2, p=probabilities.numpy()[0] / probabilities.numpy()[0].sum())
        log_probabilities.append(tf.math.log(probabilities[0, action]))
        rewards.append(1.0 if action == 1 else -1.0)
        state = state + rng.normal(scale=0.1, size=(1, 4)).astype("float32")
    return log_probabilities, rewards


def update(log_probabilities, rewards):
    returns = np.cumsum(rewards[::-1])[::-1].astype("float32")
    with tf.GradientTape() as tape:
        loss = -tf.reduce_sum(tf.stack(log_probabilities) * returns)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))


update(*play(np.random.default_rng(0), 6))
