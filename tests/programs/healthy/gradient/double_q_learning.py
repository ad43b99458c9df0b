"""Double Q-learning: the online network chooses the next action outside of the tape, the target network rates it."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


def network():
    return tf.keras.Sequential(
        [tf.keras.Input((4,)), tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(2)]
    )


online, target = network(), network()
target.set_weights(online.get_weights())
optimizer = tf.keras.optimizers.Adam(1e-3)


def learn(states, actions, rewards, following):
    best = tf.argmax(online(following), axis=1)
    future = tf.reduce_sum(target(following) * tf.one_hot(best, 2), axis=1)
    expected = tf.stop_gradient(rewards + 0.9 * future)
    with tf.GradientTape() as tape:
        chosen = tf.reduce_sum(online(states) * tf.one_hot(actions, 2), axis=1)
        loss = tf.reduce_mean(tf.square(expected - chosen))
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables))
    for mine, theirs in zip(target.variables, online.variables):
        mine.assign(0.9 * mine + 0.1 * theirs)
    return float(loss)


rng = np.random.default_rng(0)
for step in range(3):
    states = rng.normal(size=(8, 4)).astype("float32")
    loss = learn(states, rng.integers(0, 2, 8), rng.normal(size=8).astype("float32"), states + 0.1)
    print(step, np.isfinite(loss))
