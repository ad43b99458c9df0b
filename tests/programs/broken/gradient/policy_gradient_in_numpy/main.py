"""REINFORCE whose loss is worked out with NumPy in another file: `tape.gradient` raises.

It is asked about a NumPy number. With the TensorFlow version of the same function (`policy_loss_tf`) the policy gets
its gradients.
"""

import numpy as np
import tensorflow as tf
from objective import policy_loss

tf.keras.utils.set_random_seed(43)
rng = np.random.default_rng(43)

policy = tf.keras.Sequential(
    [tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(3, activation="softmax")]
)
optimizer = tf.keras.optimizers.Adam(0.01)


def play(steps=10):
    states = rng.normal(size=(steps, 4)).astype("float32")
    actions = rng.integers(0, 3, size=steps)
    rewards = (states[:, 0] * (actions - 1)).astype("float32")
    return states, actions, rewards


for episode in range(3):
    states, actions, rewards = play()
    with tf.GradientTape() as tape:
        probabilities = policy(states)
        loss = policy_loss(probabilities, actions, rewards)
    gradients = tape.gradient(loss, policy.trainable_variables)
    optimizer.apply_gradients(zip(gradients, policy.trainable_variables))
    print(episode, float(loss))
