"""A loop in a graph of TensorFlow 1 adds a row in each iteration."""

import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

frames = tf.placeholder(tf.float32, [None, 6])


def step(i, rows):
    mean = tf.reduce_mean(frames * tf.cast(i, tf.float32), axis=0, keepdims=True)
    return i + 1, tf.concat([rows, mean], axis=0)  # why: TW503


_, rows = tf.while_loop(lambda i, rows: i < 3, step, [tf.constant(0), tf.zeros([1, 6])])
with tf.Session() as session:
    print(session.run(rows, {frames: [[1.0] * 6]}))
