"""Takes the strongest neighbour of each node of a sparse graph."""

import tensorflow as tf

strengths = tf.Variable([0.3, 0.9, 0.5], name="strengths")
edges = tf.constant([[0, 1], [0, 2], [1, 2]], tf.int64)

with tf.GradientTape() as tape:
    graph = tf.sparse.SparseTensor(edges, strengths * 2.0, (2, 3))
    strongest = tf.sparse.reduce_max(graph, axis=1)  # why: TW109
    loss = tf.reduce_sum(strongest)

print("gradient", tape.gradient(loss, strengths))
