import numpy as np
import tensorflow as tf


def q_network():
    return tf.keras.Sequential(
        [tf.keras.Input((4,)), tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(2)]
    )


online, target = q_network(), q_network()
target.set_weights(online.get_weights())
optimizer = tf.keras.optimizers.Adam(1e-3)
huber = tf.keras.losses.Huber()


def learn(states, actions, rewards, next_states):
    future = tf.reduce_max(online(next_states), axis=1)
    expected = tf.stop_gradient(rewards + 0.95 * future)
    with tf.GradientTape() as tape:
        q_values = target(states)  # why: TW117
        chosen = tf.reduce_sum(q_values * tf.one_hot(actions, 2), axis=1)
        loss = huber(expected, chosen)
    gradients = tape.gradient(loss, online.trainable_variables)
    optimizer.apply_gradients(zip(gradients, online.trainable_variables))
    return loss


rng = np.random.default_rng(0)
batch = rng.normal(size=(8, 4)).astype("float32")
learn(batch, rng.integers(0, 2, 8), rng.normal(size=8).astype("float32"), batch + 0.1)
