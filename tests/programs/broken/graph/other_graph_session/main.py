import tensorflow as tf


def build(scale):
    graph = tf.Graph()
    with graph.as_default():
        x = tf.compat.v1.placeholder(tf.float32, [2], name="x")
        y = tf.multiply(x, scale, name="y")
    return graph, x, y


def evaluate(session, fetch, feed):
    return session.run(fetch, feed)  # why: TW404


small, small_x, small_y = build(0.5)
large, large_x, large_y = build(2.0)
with tf.compat.v1.Session(graph=large) as session:
    print(evaluate(session, large_y, {large_x: [1.0, 2.0]}))
    print(evaluate(session, small_y, {small_x: [1.0, 2.0]}))
