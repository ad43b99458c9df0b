"""Simulate a random walk in the graph, and look at its path afterwards."""

import tensorflow as tf


@tf.function
def walk(steps):
    path = tf.TensorArray(tf.float32, size=steps)
    position = tf.zeros([2])
    for step in tf.range(steps):
        position += tf.random.normal([2])
        path = path.write(step, position)
    return path.stack()


path = walk(tf.constant(10))
print("the end of the walk:", path[9].shape)
assert path.shape == (10, 2)
