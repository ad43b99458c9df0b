# A smoothness penalty: the slope of a network along random directions, taken in forward mode of a traced function.
import numpy as np
import tensorflow as tf


class Field:
    def __init__(self, width):
        self.network = tf.keras.Sequential(
            [tf.keras.Input((2,)), tf.keras.layers.Dense(width, activation="tanh"), tf.keras.layers.Dense(1)]
        )

    @tf.function
    def __call__(self, points):
        return self.network(points)


def slope_along(field, points, directions):
    with tf.autodiff.ForwardAccumulator(points, directions) as accumulator:
        heights = field(points)  # why: TW107
    return accumulator.jvp(heights)


def smooth(field, rng, optimizer):
    points = tf.constant(rng.uniform(size=(16, 2)), tf.float32)
    directions = tf.constant(rng.normal(size=(16, 2)), tf.float32)
    with tf.GradientTape() as tape:
        penalty = tf.reduce_mean(tf.square(slope_along(field, points, directions)))
    weights = field.network.trainable_variables
    optimizer.apply_gradients(zip(tape.gradient(penalty, weights), weights))
    return float(penalty)


field, optimizer = Field(8), tf.keras.optimizers.Adam(1e-2)
rng = np.random.default_rng(0)
for step in range(3):
    print(step, smooth(field, rng, optimizer))
