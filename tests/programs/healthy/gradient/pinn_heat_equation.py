"""A physics-informed network for the heat equation: u_t and u_xx by nested tapes, trained in a tf.function."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(144)
rng = np.random.default_rng(144)
net = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(10, activation="tanh"),
        tf.keras.layers.Dense(10, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
net.build((None, 2))
optimizer = tf.keras.optimizers.SGD(0.01)
inside = tf.constant(rng.uniform(size=(30, 2)), tf.float32)
edge = tf.constant(np.stack([np.zeros(10), np.linspace(0, 1, 10)], axis=1), tf.float32)
start = tf.sin(np.pi * edge[:, 1:])


def residual(points):
    t, x = points[:, :1], points[:, 1:]
    with tf.GradientTape() as second:
        second.watch(x)
        with tf.GradientTape(persistent=True) as first:
            first.watch([t, x])
            u = net(tf.concat([t, x], axis=1))
        u_x = first.gradient(u, x)
    u_xx = second.gradient(u_x, x)
    u_t = first.gradient(u, t)
    return u_t - 0.1 * u_xx


@tf.function
def train_step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(residual(inside) ** 2) + tf.reduce_mean((net(edge) - start) ** 2)
    gradients = tape.gradient(loss, net.trainable_variables)
    gradients = [tf.zeros_like(v) if g is None else g for g, v in zip(gradients, net.trainable_variables)]
    optimizer.apply_gradients(zip(gradients, net.trainable_variables))
    return loss


for step in range(4):
    print(step, round(float(train_step()), 4))
