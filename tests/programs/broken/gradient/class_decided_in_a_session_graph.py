"""A classifier in a session: the loss is computed from the decided class, so no variable has a gradient."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
y = tf.placeholder(tf.float32, [None, 1])
w = tf.get_variable("w", [4, 1])
b = tf.get_variable("b", [1])
logits = tf.matmul(x, w) + b
pred = tf.cast(logits > 0, tf.float32)  # why: TW106
loss = tf.reduce_mean(tf.abs(pred - y))
train = tf.train.AdamOptimizer(0.1).minimize(loss)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
