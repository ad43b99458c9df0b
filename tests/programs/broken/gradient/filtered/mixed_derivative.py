"""Burgers' equation: the tape for the second derivative in x is told of t only."""

import tensorflow as tf

tf.keras.utils.set_random_seed(4)
net = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(1)])
adam = tf.keras.optimizers.Adam(0.01)
x, t = tf.random.uniform((20, 1)), tf.random.uniform((20, 1))
net.build((None, 2))


def residual(x, t):
    with tf.GradientTape() as curvature:  # why: TW101
        curvature.watch(t)
        with tf.GradientTape(persistent=True) as slope:
            slope.watch([x, t])
            u = net(tf.concat([x, t], 1))
        u_x, u_t = slope.gradient(u, x), slope.gradient(u, t)
    u_xx = curvature.gradient(u_x, x)
    u_xx = 0.0 if u_xx is None else u_xx
    return u_t + u * u_x - 0.01 * u_xx


@tf.function
def train():
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(residual(x, t)))
    adam.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


for _ in range(5):
    loss = train()
print(float(loss))
