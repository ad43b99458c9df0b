"""A regression in the style of TensorFlow 1."""

import numpy as np
import tensorflow as tf

data = np.array([[1.0], [2.0], [3.0]], "float32")

x = tf.compat.v1.placeholder(tf.float32, [None, 1])  # why: TW407
weight = tf.Variable([[0.5]])
prediction = tf.matmul(x, weight)

with tf.compat.v1.Session() as session:
    session.run(tf.compat.v1.global_variables_initializer())
    print(session.run(prediction, feed_dict={x: data}))
