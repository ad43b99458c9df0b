import numpy as np
import tensorflow as tf

actor = tf.keras.Sequential(
    [tf.keras.Input((3,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1, activation="tanh")]
)
state_in, action_in = tf.keras.Input((3,)), tf.keras.Input((1,))
merged = tf.keras.layers.Concatenate()([state_in, action_in])
critic = tf.keras.Model(
    [state_in, action_in], tf.keras.layers.Dense(1)(tf.keras.layers.Dense(8, activation="relu")(merged))
)
actor_optimizer = tf.keras.optimizers.Adam(1e-3)


def critic_value(states, actions):
    return critic.predict([states, actions], verbose=0)  # why: TW110


def train_actor(states):
    with tf.GradientTape() as tape:
        actions = actor(states)
        actor_loss = -tf.reduce_mean(critic_value(states, actions))
    gradients = tape.gradient(actor_loss, actor.trainable_variables)
    actor_optimizer.apply_gradients(zip(gradients, actor.trainable_variables))
    return float(actor_loss)


print(train_actor(np.random.default_rng(0).normal(size=(5, 3)).astype("float32")))
