"""Scores images in a graph of their own, with a session that was opened on the default graph."""

import tensorflow as tf

graph = tf.Graph()

with graph.as_default():
    images = tf.compat.v1.placeholder(tf.float32, [None, 2])
    scores = tf.reduce_sum(images, axis=1)

with tf.compat.v1.Session() as session:
    print(session.run(scores, {images: [[0.2, 0.8], [1.0, 0.5]]}))  # why: TW404
