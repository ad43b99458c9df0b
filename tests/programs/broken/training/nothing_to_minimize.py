"""Fit a line in TensorFlow 1, whose slope was never made a variable."""

import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
x, y = tf.placeholder(tf.float32, [None]), tf.placeholder(tf.float32, [None])
slope = tf.zeros([])
loss = tf.reduce_mean((x * slope - y) ** 2)
train = tf.train.GradientDescentOptimizer(0.1).minimize(loss)  # why: TW116
with tf.Session() as session:
    session.run(train, {x: [1.0, 2.0], y: [2.0, 4.0]})
