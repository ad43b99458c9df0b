"""A Hamiltonian network in fit and the two potentials of optimal transport: only the slopes of their outputs count.

The last bias of such a network has no gradient, and needs none.
"""

import numpy as np
import tensorflow as tf

layers = tf.keras.layers
tf.keras.utils.set_random_seed(3)


def potential():
    return tf.keras.Sequential([tf.keras.Input((2,)), layers.Dense(8, activation="softplus"), layers.Dense(1)])


def slope(network, points):
    with tf.GradientTape() as tape:
        tape.watch(points)
        heights = network(points)
    return tape.gradient(heights, points)


class Hamiltonian(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.energy = potential()

    def call(self, states):
        by_place, by_momentum = tf.split(slope(self.energy, states), 2, axis=1)
        return tf.concat([by_momentum, -by_place], axis=1)


states = np.random.default_rng(3).normal(size=(32, 2)).astype("float32")
pendulum = Hamiltonian()
pendulum.compile("adam", "mse")
pendulum.fit(states, np.stack([states[:, 1], -states[:, 0]], axis=1), epochs=4, batch_size=8, verbose=0)

critic, mover = potential(), potential()
of_critic, of_mover = tf.keras.optimizers.SGD(0.01), tf.keras.optimizers.SGD(0.01)


def move(targets):
    with tf.GradientTape() as tape:
        moved = slope(mover, targets)
        loss = tf.reduce_mean(critic(moved)[:, 0] - tf.reduce_sum(targets * moved, axis=1))
    variables = mover.trainable_variables
    of_mover.apply_gradients(zip(tape.gradient(loss, variables), variables))


def judge(points, targets):
    moved = slope(mover, targets)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(critic(points)) - tf.reduce_mean(critic(moved) * 1.1)
    variables = critic.trainable_variables
    of_critic.apply_gradients(zip(tape.gradient(loss, variables), variables))


before = [variable.numpy() for variable in mover.trainable_variables]
for _ in range(5):
    move(tf.constant(states))
    judge(tf.constant(states + 1.0), tf.constant(states))
after = [variable.numpy() for variable in mover.trainable_variables]
assert [bool((old != new).any()) for old, new in zip(before, after)] == [True, True, True, False]
