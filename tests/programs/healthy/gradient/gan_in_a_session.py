"""A GAN in a graph with a session: each optimizer is told its own variables."""

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
graph = tf.Graph()
with graph.as_default():
    tf1.set_random_seed(1)
    noise = tf1.placeholder(tf.float32, [None, 3])
    real = tf1.placeholder(tf.float32, [None, 2])

    def judge(x):
        with tf1.variable_scope("judge", reuse=tf1.AUTO_REUSE):
            return tf.matmul(x, tf1.get_variable("kernel", [2, 1]))

    with tf1.variable_scope("maker"):
        made = tf.matmul(noise, tf1.get_variable("kernel", [3, 2]))
    judge_loss = tf.reduce_mean(tf.nn.softplus(-judge(real)) + tf.nn.softplus(judge(made)))
    maker_loss = tf.reduce_mean(tf.nn.softplus(-judge(made)))
    optimizer = tf1.train.GradientDescentOptimizer(0.1)
    train_judge = optimizer.minimize(judge_loss, var_list=tf1.trainable_variables("judge"))
    train_maker = optimizer.minimize(maker_loss, var_list=tf1.trainable_variables("maker"))
    penalty = tf1.gradients(judge(real), real)[0]
    with tf1.Session() as session:
        session.run(tf1.global_variables_initializer())
        feed = {noise: np.ones((4, 3), "float32"), real: np.ones((4, 2), "float32")}
        for _ in range(3):
            session.run([train_judge, train_maker], feed)
        print(session.run(penalty, feed).shape)
