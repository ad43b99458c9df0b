"""A simulation keeps its state in variables, inside a traced loop: the parameters get None."""

import numpy as np
import tensorflow as tf


class Spring(tf.Module):
    def __init__(self):
        super().__init__()
        self.stiffness = tf.Variable(1.0, name="stiffness")
        self.damping = tf.Variable(0.1, name="damping")
        self.position = tf.Variable(1.0, trainable=False, name="position")
        self.velocity = tf.Variable(0.0, trainable=False, name="velocity")

    def acceleration(self, position, velocity):
        return -self.stiffness * position - self.damping * velocity

    def simulate(self, steps, dt=0.1):
        self.position.assign(1.0)
        self.velocity.assign(0.0)
        for _ in tf.range(steps):
            force = self.acceleration(self.position, self.velocity)
            self.velocity.assign_add(dt * force)  # why: TW113
            self.position.assign_add(dt * self.velocity)  # why: TW113
        return self.position.read_value()


spring = Spring()
optimizer = tf.keras.optimizers.Adam(0.05)


@tf.function
def calibrate(measured):
    with tf.GradientTape() as tape:
        error = tf.square(spring.simulate(tf.constant(8)) - measured)
    variables = [spring.stiffness, spring.damping]
    optimizer.apply_gradients(zip(tape.gradient(error, variables), variables))
    return error


for _ in range(3):
    print(float(calibrate(tf.constant(0.3))))
