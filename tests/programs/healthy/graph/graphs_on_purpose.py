"""Two graphs with a session each, used rightly, beside eager execution."""

import tensorflow as tf


def build(factor):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2])
        return graph, x, factor * x


graph, x, y = build(2.0)
other, x2, y2 = build(3.0)
with tf.compat.v1.Session(graph=graph) as session:
    first = session.run(y, {x: [1.0, 2.0]})
with tf.compat.v1.Session(graph=other) as session:
    print(session.run(y2, {x2: first}))
print(float(tf.reduce_sum(tf.constant([1.0, 2.0]))))
