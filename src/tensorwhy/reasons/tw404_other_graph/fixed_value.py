"""Scales its input by a number that was computed before the graph was begun."""

import tensorflow as tf

SCALE = tf.sqrt(2.0)


def build():
    x = tf.compat.v1.placeholder(tf.float32, [None], name="x")
    return x, x * SCALE.numpy()


with tf.Graph().as_default():
    x, scaled = build()
    with tf.compat.v1.Session() as session:
        values = session.run(scaled, {x: [1.0, 2.0]})
        assert values.shape == (2,) and values[0] > 1.4
        print(values)
