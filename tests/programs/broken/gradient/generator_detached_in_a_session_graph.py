"""A GAN in a graph whose discriminator always sees detached fakes: its generator has no gradient."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()
z = tf.placeholder(tf.float32, [None, 4])
with tf.variable_scope("generator"):
    w = tf.get_variable("w", [4, 2])
    fake = tf.matmul(z, w)
with tf.variable_scope("discriminator"):
    d = tf.get_variable("d", [2, 1])
    score = tf.matmul(tf.stop_gradient(fake), d)  # why: TW104
g_vars = [v for v in tf.trainable_variables() if v.name.startswith("generator")]
g_loss = -tf.reduce_mean(score)
train = tf.train.AdamOptimizer(0.1).minimize(g_loss, var_list=g_vars)
