"""A hand-written dense layer whose output is computed once, before the loop."""

import tensorflow as tf


class Dense(tf.Module):
    def __init__(self, size, units, name=None):
        super().__init__(name=name)
        self.w = tf.Variable(tf.random.stateless_normal([size, units], [1, 2]), name="w")
        self.b = tf.Variable(tf.ones([units]), name="b")

    def __call__(self, x):
        return tf.nn.relu(tf.matmul(x, self.w) + self.b)


layer = Dense(2, 4)
output = layer(tf.constant([[7.0, 3.0]]))  # why: TW102


def loss_fn():
    wanted = tf.ones([1, 4])
    return tf.reduce_mean(tf.square(wanted - output))


for step in range(3):
    tf.compat.v1.train.AdamOptimizer(0.4).minimize(loss_fn, var_list=layer.trainable_variables)
