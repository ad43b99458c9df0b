"""A weight kept as an attribute is replaced by its own normalised value (a tensor) after each step.

From the second step on its gradient is None and `optimizer.apply_gradients` raises; `self.directions.assign(...)`
keeps the variable.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(49)


class PrincipalDirections:
    def __init__(self, width, count):
        self.directions = tf.Variable(rng.normal(size=(width, count)), dtype=tf.float32)
        self.optimizer = tf.keras.optimizers.SGD(0.1)

    def reconstruction_error(self, data):
        code = data @ self.directions
        return tf.reduce_mean((code @ tf.transpose(self.directions) - data) ** 2)

    def orthogonalise(self):
        q, _ = tf.linalg.qr(self.directions)
        self.directions = q  # why: TW112

    def fit(self, data, steps):
        for step in range(steps):
            with tf.GradientTape() as tape:
                error = self.reconstruction_error(data)
            gradient = tape.gradient(error, self.directions)
            self.optimizer.apply_gradients([(gradient, self.directions)])
            self.orthogonalise()
            print(step, round(float(error), 4))


samples = tf.constant(rng.normal(size=(30, 5)) * [3.0, 2.0, 0.5, 0.1, 0.1], tf.float32)
PrincipalDirections(5, 2).fit(samples, 4)
