"""Scores images in a graph of their own, with a session that was opened on that graph."""

import tensorflow as tf

graph = tf.Graph()

with graph.as_default():
    images = tf.compat.v1.placeholder(tf.float32, [None, 2])
    scores = tf.reduce_sum(images, axis=1)

with tf.compat.v1.Session(graph=graph) as session:
    found = session.run(scores, {images: [[0.2, 0.8], [1.0, 0.5]]})
    print(found)

assert found.shape == (2,) and abs(found[1] - 1.5) < 1e-6
