"""Simulate a pendulum in the graph and keep its angles."""

import tensorflow as tf


def simulate(angle, velocity, steps, dt=0.1):
    angles = []

    def advance(step, angle, velocity):
        velocity = velocity - dt * tf.sin(angle)
        angle = angle + dt * velocity
        angles.append(angle)  # why: TW505
        return step + 1, angle, velocity

    tf.while_loop(lambda step, angle, velocity: step < steps, advance, [tf.constant(0), angle, velocity])
    return tf.stack(angles)


@tf.function
def swing(angle):
    angles = simulate(angle, tf.constant(0.0), tf.constant(20))
    return tf.reduce_max(angles)


print(swing(tf.constant(0.3)))
