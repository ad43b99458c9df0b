"""Ground state of an oscillator by a physics-informed network: the energy is a parameter too."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(4)


class WaveFunction(tf.keras.Model):
    def __init__(self, width=24):
        super().__init__()
        self.first = tf.keras.layers.Dense(width, activation="tanh")
        self.second = tf.keras.layers.Dense(width, activation="tanh")
        self.amplitude = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.amplitude(self.second(self.first(x)))


class Solver:
    def __init__(self, potential):
        self.potential = potential
        self.psi = WaveFunction()
        self.energy = tf.Variable(1.0, name="energy")
        self.optimizer = tf.keras.optimizers.Adam(0.005)

    def curvature(self, x):
        with tf.GradientTape(persistent=True) as second:
            second.watch(x)
            with tf.GradientTape(persistent=True) as first:
                first.watch(x)
                psi = self.psi(x)
            slope = first.gradient(psi, x)
        bend = second.gradient(slope, x)
        if bend is None:
            bend = tf.zeros_like(psi)
        return psi, bend

    @tf.function
    def step(self, x):
        with tf.GradientTape() as tape:
            psi, bend = self.curvature(x)
            residual = -0.5 * bend + (self.potential(x) - self.energy) * psi
            normalised = tf.square(tf.reduce_mean(tf.square(psi)) * 12.0 - 1.0)
            loss = tf.reduce_mean(tf.square(residual)) + normalised
        variables = self.psi.trainable_variables + [self.energy]
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss, tf.reduce_mean(tf.abs(bend))


solver = Solver(lambda x: 0.5 * tf.square(x))
solver.psi(tf.zeros((1, 1)))
grid = tf.constant(np.linspace(-6, 6, 121)[:, None], tf.float32)
for epoch in range(20):
    loss, bend = solver.step(grid)
    if epoch % 5 == 0:
        print("epoch", epoch, "loss", float(loss), "curvature", float(bend))
print("energy", float(solver.energy))
