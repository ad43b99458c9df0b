"""A physics-informed network for Burgers' equation that joins the coordinates inside both tapes."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(9)
VISCOSITY = 0.05


def build_network(width=16, depth=2):
    layers = [tf.keras.layers.Dense(width, activation="tanh") for _ in range(depth)]
    return tf.keras.Sequential([*layers, tf.keras.layers.Dense(1)])


def collocation_points(count, seed):
    rng = np.random.default_rng(seed)
    x = tf.constant(rng.uniform(-1, 1, size=(count, 1)), tf.float32)
    t = tf.constant(rng.uniform(0, 1, size=(count, 1)), tf.float32)
    return x, t


def initial_condition(count):
    x = tf.reshape(tf.linspace(-1.0, 1.0, count), [-1, 1])
    return x, tf.zeros_like(x), -tf.sin(np.pi * x)


class Burgers:
    """The loss of the equation u_t + u u_x = v u_xx, with its start and its walls."""

    def __init__(self, network):
        self.network = network
        self.x, self.t = collocation_points(40, seed=10)
        self.x0, self.t0, self.u0 = initial_condition(20)

    def u(self, x, t):
        return self.network(tf.concat([x, t], axis=1))

    def residual(self, x, t):
        with tf.GradientTape() as second:
            second.watch(x)
            with tf.GradientTape(persistent=True) as first:
                first.watch([x, t])
                u = self.u(x, t)
            u_x = first.gradient(u, x)
            u_t = first.gradient(u, t)
        u_xx = second.gradient(u_x, x)
        return u_t + u * u_x - VISCOSITY * u_xx

    def start_error(self):
        return tf.reduce_mean((self.u(self.x0, self.t0) - self.u0) ** 2)

    def wall_error(self):
        ones = tf.ones_like(self.t0)
        return tf.reduce_mean(self.u(ones, self.t0) ** 2) + tf.reduce_mean(self.u(-ones, self.t0) ** 2)

    def loss(self):
        equation = tf.reduce_mean(self.residual(self.x, self.t) ** 2)
        return equation + self.start_error() + self.wall_error()


def train(problem, steps, rate=0.01):
    optimizer = tf.keras.optimizers.Adam(rate)
    variables = None
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = problem.loss()
        variables = variables or problem.network.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        if step % 2 == 0:
            print(f"step {step}: loss {float(loss):.4f}")


def main():
    network = build_network()
    network.build((None, 2))
    train(Burgers(network), steps=7)


if __name__ == "__main__":
    main()
