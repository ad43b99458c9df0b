"""A leapfrog step in a traced loop asks the last tape once more than it answers; AutoGraph has rewritten all of it."""

import tensorflow as tf

steps = 3


def slope_at(position, recording, height):
    return recording.gradient(height, position)


def leapfrog(position, momentum, energy):
    for _ in range(steps):
        position = position + 0.1 * momentum
        with tf.GradientTape() as fresh:  # why: TW120
            fresh.watch(position)
            height = energy(position)
        momentum = momentum - 0.1 * slope_at(position, fresh, height)
    return position, momentum + 0.05 * slope_at(position, fresh, height)


@tf.function
def sample(start):
    def once(index, place):
        moved, _ = leapfrog(place, tf.random.normal([2]), lambda x: tf.reduce_sum(x**2))
        return index + 1, moved

    return tf.while_loop(lambda index, place: index < 4, once, (0, start))


sample(tf.zeros([2]))
