"""An optimizer in a session takes all variables of the graph; that one of them takes no part is no fault."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
x = tf.placeholder(tf.float32, [None, 4])
w = tf.get_variable("w", [4, 1])
unused = tf.get_variable("unused", [4, 1])
loss = tf.reduce_mean(tf.square(tf.matmul(x, w)))
opt = tf.train.AdamOptimizer(0.1)
gv = opt.compute_gradients(loss)
train = opt.apply_gradients([(tf.clip_by_norm(g, 1.0), v) for g, v in gv if g is not None])
train2 = tf.train.GradientDescentOptimizer(0.1).minimize(loss)
with tf.Session() as s:
    s.run(tf.global_variables_initializer())
    for i in range(3):
        s.run([train, train2], {x: np.ones((2, 4))})
