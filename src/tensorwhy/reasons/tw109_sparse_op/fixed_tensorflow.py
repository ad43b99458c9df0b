"""Takes the strongest neighbour of each node of a graph, on the values themselves."""

import tensorflow as tf

strengths = tf.Variable([0.3, 0.9, 0.5], name="strengths")
edges = tf.constant([[0, 1], [0, 2], [1, 2]], tf.int64)

with tf.GradientTape() as tape:
    strongest = tf.math.segment_max(strengths * 2.0, edges[:, 0])
    loss = tf.reduce_sum(strongest)

gradient = tape.gradient(loss, strengths)
print("gradient", gradient.numpy())
assert gradient.numpy().tolist() == [0.0, 2.0, 2.0]
