"""Average the hidden states of an unrolled cell, forgetting to stack them."""

import tensorflow as tf


class Unrolled:
    def __init__(self, width):
        self.kernel = tf.random.normal([width, width])

    def states(self, state, steps):
        states = tf.TensorArray(tf.float32, size=steps)
        for step in tf.range(steps):
            state = tf.tanh(tf.linalg.matvec(self.kernel, state))
            states = states.write(step, state)
        return states


def average(states):
    return tf.reduce_mean(states, axis=0)  # why: TW508


@tf.function
def summary(state, steps):
    return average(Unrolled(3).states(state, steps))


print(summary(tf.ones([3]), tf.constant(4)).shape)
