"""Outside of a graph `get_variable` keeps nothing to reuse: each step trains variables that the next one has not."""

import tensorflow as tf

v1 = tf.compat.v1
tf.random.set_seed(8)
x = tf.random.normal((16, 3))


def net(x):
    with v1.variable_scope("net", reuse=v1.AUTO_REUSE):
        kernel = v1.get_variable("kernel", [3, 1], initializer=v1.glorot_uniform_initializer())  # why: TW606
        return x @ kernel


optimizer = v1.train.AdamOptimizer(0.1)
for _ in range(6):
    with tf.GradientTape() as tape:
        error = tf.reduce_mean((net(x) - x[:, :1]) ** 2)
    variables = tape.watched_variables()
    optimizer.apply_gradients(zip(tape.gradient(error, variables), variables))
