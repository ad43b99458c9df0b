"""A physics-informed network for u'' = -u takes u' after the outer tape closed, so u'' is None and the residual raises.

With the line of the first derivative inside the outer `with` (but outside the inner one) u'' is a value.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(13)

network = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(12, activation="tanh", input_shape=(1,)),
        tf.keras.layers.Dense(12, activation="tanh"),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.Adam(1e-2)
collocation = tf.constant(np.linspace(0, np.pi, 20)[:, None], tf.float32)


def residual(t):
    with tf.GradientTape() as second:
        second.watch(t)
        with tf.GradientTape() as first:
            first.watch(t)
            u = network(t)
    du = first.gradient(u, t)  # why: TW102
    ddu = second.gradient(du, t)
    return ddu + u


def boundary():
    return tf.reduce_mean(tf.square(network(tf.constant([[0.0], [np.pi]], tf.float32))))


for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(residual(collocation))) + boundary()
    grads = tape.gradient(loss, network.trainable_variables)
    optimizer.apply_gradients(zip(grads, network.trainable_variables))
    print(epoch, round(float(loss), 5))
