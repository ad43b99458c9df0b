"""An actor-critic step: the critic is asked about the actions of the replay buffer, not about those of the actor."""

import tensorflow as tf

tf.keras.utils.set_random_seed(10)
actor = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2, activation="tanh")])
critic = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
actor_optimizer = tf.keras.optimizers.Adam(1e-3)


def update_actor(states, actions):
    with tf.GradientTape() as tape:
        new_actions = actor(states)  # why: TW115
        values = critic(tf.concat([states, actions], axis=-1))
        actor_loss = -tf.reduce_mean(values)
    grads = tape.gradient(actor_loss, actor.trainable_variables)
    actor_optimizer.apply_gradients(zip(grads, actor.trainable_variables))
    return actor_loss


for _ in range(3):
    update_actor(tf.random.normal([8, 4]), tf.random.normal([8, 2]))
