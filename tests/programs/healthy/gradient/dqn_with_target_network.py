"""Deep Q-learning: the target network is a clone, its values are stopped on purpose, `set_weights` copies them over."""

import numpy as np
import tensorflow as tf
from tensorflow import keras

keras.utils.set_random_seed(102)
rng = np.random.default_rng(102)


def q_network():
    return keras.Sequential([keras.Input((4,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])


online, target = q_network(), q_network()
target.set_weights(online.get_weights())
optimizer = keras.optimizers.Adam(0.01)
huber = keras.losses.Huber()
memory = []
state = rng.normal(size=4).astype("float32")
for t in range(60):
    if rng.uniform() < 0.2:
        action = int(rng.integers(2))
    else:
        action = int(np.argmax(online(state[None]).numpy()[0]))
    following = (0.9 * state + 0.1 * (2 * action - 1)).astype("float32")
    memory.append((state, action, float(-abs(following[0])), following, t % 20 == 19))
    state = following


def train(batch_indices, gamma=0.95):
    s, a, r, s2, done = (np.array(part) for part in zip(*[memory[i] for i in batch_indices]))
    future = tf.reduce_max(target(s2.astype("float32")), axis=1)
    wanted = tf.stop_gradient(r.astype("float32") + gamma * (1.0 - done.astype("float32")) * future)
    with tf.GradientTape() as tape:
        q = online(s.astype("float32"))
        chosen = tf.reduce_sum(q * tf.one_hot(a, 2), axis=1)
        loss = huber(wanted, chosen)
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables))
    return float(loss)


for step in range(6):
    loss = train(rng.choice(60, size=16, replace=False))
    if step % 3 == 2:
        target.set_weights(online.get_weights())
    print(step, round(loss, 5))
