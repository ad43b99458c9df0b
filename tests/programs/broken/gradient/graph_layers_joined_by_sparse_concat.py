"""Two learned adjacency matrices are joined by `tf.sparse.concat`: both variables get None.

The values have no gradient there. Made dense before they are joined, both have gradients.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(36)
edges = np.array([[0, 1], [0, 2], [1, 2], [2, 0]], np.int64)
near = tf.Variable(rng.uniform(size=4), dtype=tf.float32, name="near")
far = tf.Variable(rng.uniform(size=4), dtype=tf.float32, name="far")
nodes = tf.constant(rng.normal(size=(3, 2)), tf.float32)
wanted = tf.constant(rng.normal(size=(6, 2)), tf.float32)


def adjacency(weights):
    return tf.SparseTensor(edges, weights, dense_shape=[3, 3])


def propagate(features):
    both = tf.sparse.concat(axis=0, sp_inputs=[adjacency(near), adjacency(far)])  # why: TW109
    return tf.matmul(tf.sparse.to_dense(both), features)


optimizer = tf.keras.optimizers.Adam(0.05)
for epoch in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(propagate(nodes) - wanted))
    gradients = tape.gradient(loss, [near, far])
    optimizer.apply_gradients(zip(gradients, [near, far]))
    print(epoch, round(float(loss), 4))
