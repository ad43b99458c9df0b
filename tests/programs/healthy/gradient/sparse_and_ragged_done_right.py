"""Sparse-dense products, lookups in a table by ragged ids, and ragged reductions with gradients."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(158)
table = tf.Variable(rng.normal(size=(10, 3)), dtype=tf.float32)
edge_weights = tf.Variable([0.5, 1.0, -0.3, 0.8])
ids = tf.ragged.constant([[1, 2], [3], [4, 5, 6]])

for step in range(3):
    with tf.GradientTape() as tape:
        vectors = tf.ragged.map_flat_values(tf.nn.embedding_lookup, table, ids)
        pooled = tf.reduce_mean(vectors, axis=1)
        adjacency = tf.SparseTensor([[0, 1], [1, 2], [2, 0], [2, 2]], edge_weights, [3, 3])
        mixed = tf.sparse.sparse_dense_matmul(adjacency, pooled)
        row_sums = tf.sparse.reduce_sum(adjacency, axis=1)
        loss = tf.reduce_sum(mixed**2) + tf.reduce_sum(row_sums**2)
    d_table, d_edges = tape.gradient(loss, [table, edge_weights])
    table.assign_sub(0.05 * tf.convert_to_tensor(d_table))
    edge_weights.assign_sub(0.05 * d_edges)
    print(step, round(float(loss), 4), np.round(d_edges.numpy(), 3).tolist())
