"""Two models in one graph, whose outputs are added."""

import numpy as np
import tensorflow as tf

graph = tf.Graph()

with graph.as_default():
    image_score = tf.constant([0.2, 0.8])

with graph.as_default():
    text_score = tf.constant([0.6, 0.4])
    total = image_score + text_score

with tf.compat.v1.Session(graph=graph) as session:
    value = session.run(total)
print(value)
np.testing.assert_allclose(value, [0.8, 1.2], rtol=1e-6)
