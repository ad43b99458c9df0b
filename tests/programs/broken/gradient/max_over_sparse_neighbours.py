"""A graph layer takes the maximum over neighbours with `tf.sparse.reduce_max`, which has no gradient: LookupError.

`tf.math.segment_max` over the edge list has one.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(37)
tf.keras.utils.set_random_seed(37)
edges = np.array([[0, 1], [0, 2], [1, 0], [2, 1], [2, 2]], np.int64)
edge_features = tf.constant(rng.normal(size=(5, 4)), tf.float32)
labels = tf.constant([[1.0], [0.0], [1.0]])

scorer = tf.keras.layers.Dense(1, name="edge_score")
readout = tf.keras.layers.Dense(1, name="readout")
optimizer = tf.keras.optimizers.Adam(0.02)


def aggregate(scores):
    matrix = tf.SparseTensor(edges, scores, dense_shape=[3, 3])
    best = tf.sparse.reduce_max(matrix, axis=1)  # why: TW109
    return tf.reshape(best, [3, 1])


def train_step():
    with tf.GradientTape() as tape:
        scores = tf.squeeze(scorer(edge_features), axis=1)
        logits = readout(aggregate(scores))
        loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=labels, logits=logits))
    weights = scorer.trainable_weights + readout.trainable_weights
    gradients = tape.gradient(loss, weights)
    optimizer.apply_gradients(zip(gradients, weights))
    return loss


for step in range(3):
    print(step, round(float(train_step()), 4))
