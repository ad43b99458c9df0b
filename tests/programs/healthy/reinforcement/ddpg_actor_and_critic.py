"""DDPG: actor and critic, both with slowly following targets, a buffer class with a compiled update."""

import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(32)
rng = np.random.default_rng(32)


def get_actor():
    last = keras.initializers.RandomUniform(minval=-0.003, maxval=0.003, seed=1)
    inputs = layers.Input(shape=(3,))
    out = layers.Dense(16, activation="relu")(inputs)
    outputs = layers.Dense(1, activation="tanh", kernel_initializer=last)(out)
    return keras.Model(inputs, outputs * 2.0)


def get_critic():
    state, action = layers.Input(shape=(3,)), layers.Input(shape=(1,))
    concat = layers.Concatenate()(
        [layers.Dense(8, activation="relu")(state), layers.Dense(8, activation="relu")(action)]
    )
    return keras.Model([state, action], layers.Dense(1)(layers.Dense(16, activation="relu")(concat)))


actor_model, critic_model = get_actor(), get_critic()
target_actor, target_critic = get_actor(), get_critic()
target_actor.set_weights(actor_model.get_weights())
target_critic.set_weights(critic_model.get_weights())
critic_optimizer, actor_optimizer = keras.optimizers.Adam(2e-3), keras.optimizers.Adam(1e-3)


class Buffer:
    def __init__(self, size):
        self.size, self.count = size, 0
        self.state, self.next = np.zeros((size, 3), "float32"), np.zeros((size, 3), "float32")
        self.action, self.reward = np.zeros((size, 1), "float32"), np.zeros((size, 1), "float32")

    def record(self, state, action, reward, next_state):
        index = self.count % self.size
        self.state[index], self.action[index], self.reward[index], self.next[index] = state, action, reward, next_state
        self.count += 1

    @tf.function
    def update(self, states, actions, rewards, nexts):
        with tf.GradientTape() as tape:
            target_actions = target_actor(nexts, training=True)
            y = rewards + 0.9 * target_critic([nexts, target_actions], training=True)
            critic_value = critic_model([states, actions], training=True)
            critic_loss = tf.math.reduce_mean(tf.math.square(y - critic_value))
        critic_grad = tape.gradient(critic_loss, critic_model.trainable_variables)
        critic_optimizer.apply_gradients(zip(critic_grad, critic_model.trainable_variables))
        with tf.GradientTape() as tape:
            actions = actor_model(states, training=True)
            actor_loss = -tf.math.reduce_mean(critic_model([states, actions], training=True))
        actor_grad = tape.gradient(actor_loss, actor_model.trainable_variables)
        actor_optimizer.apply_gradients(zip(actor_grad, actor_model.trainable_variables))

    def learn(self):
        picked = rng.choice(min(self.count, self.size), 8)
        self.update(*(tf.convert_to_tensor(part[picked]) for part in (self.state, self.action, self.reward, self.next)))


def update_target(target_weights, weights, tau):
    for a, b in zip(target_weights, weights):
        a.assign(b * tau + a * (1 - tau))


buffer, state = Buffer(64), np.ones(3, "float32")
start = [w.copy() for w in actor_model.get_weights()]
for _step in range(12):
    action = tf.squeeze(actor_model(tf.expand_dims(tf.convert_to_tensor(state), 0))).numpy() + rng.normal() * 0.2
    following = (0.9 * state + 0.1 * action).astype("float32")
    buffer.record(state, action, -float(np.square(following).sum()), following)
    buffer.learn()
    update_target(target_actor.variables, actor_model.variables, 0.05)
    update_target(target_critic.variables, critic_model.variables, 0.05)
    state = following
print(any((a != b).any() for a, b in zip(start, actor_model.get_weights())), buffer.count)
