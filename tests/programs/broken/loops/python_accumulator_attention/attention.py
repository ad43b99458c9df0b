"""A recurrent reader that remembers where it looked."""

import tensorflow as tf


class Reader(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.query = tf.Variable(tf.random.normal([width]))
        self.looks = []

    def _look(self, memory, state):
        weights = tf.nn.softmax(tf.linalg.matvec(memory, self.query + state))
        self.looks.append(weights)  # why: TW505
        return tf.linalg.matvec(memory, weights, transpose_a=True)

    @tf.function
    def read(self, memory, steps):
        state = tf.zeros_like(self.query)
        for _ in tf.range(steps):
            state = self._look(memory, state)
        return state
