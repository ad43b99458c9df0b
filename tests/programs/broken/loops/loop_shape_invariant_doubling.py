"""Collect the convergents of Newton's method until they stop moving."""

import tensorflow as tf


class Newton:
    def __init__(self, function, tolerance=1e-4):
        self.function = function
        self.tolerance = tolerance

    def step(self, x):
        with tf.GradientTape() as tape:
            tape.watch(x)
            y = self.function(x)
        return x - y / tape.gradient(y, x)

    @tf.function
    def trace(self, start):
        visited = tf.reshape(start, [1])
        moved = tf.constant(1.0)
        while moved > self.tolerance:
            following = self.step(visited[-1])
            moved = tf.abs(following - visited[-1])
            visited = tf.concat([visited, [following]], axis=0)  # why: TW503
        return visited


root = Newton(lambda x: x * x - 2.0)
print(root.trace(tf.constant(3.0)).shape)
