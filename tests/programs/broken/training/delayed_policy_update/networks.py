import tensorflow as tf


def actor_network(state_size, action_size):
    states = tf.keras.Input((state_size,))
    h = tf.keras.layers.Dense(16, activation="relu")(states)
    return tf.keras.Model(states, tf.keras.layers.Dense(action_size, activation="tanh")(h))


def critic_network(state_size, action_size):
    states, actions = tf.keras.Input((state_size,)), tf.keras.Input((action_size,))
    h = tf.keras.layers.Concatenate()([states, actions])
    h = tf.keras.layers.Dense(16, activation="relu")(h)
    return tf.keras.Model([states, actions], tf.keras.layers.Dense(1)(h))
