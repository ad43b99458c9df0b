"""The generator's variables are collected by a scope that is not the one that they were made in: the list is empty."""

import tensorflow as tf

v1 = tf.compat.v1
v1.disable_eager_execution()


def generator(noise):
    with v1.variable_scope("generator"):
        return tf.matmul(noise, v1.get_variable("w", [2, 3]))


def discriminator(pictures):
    with v1.variable_scope("discriminator", reuse=v1.AUTO_REUSE):
        return tf.matmul(pictures, v1.get_variable("w", [3, 1]))


noise = v1.placeholder(tf.float32, [None, 2])
judged = discriminator(generator(noise))
generator_loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(logits=judged, labels=tf.ones_like(judged)))
generator_variables = v1.get_collection(v1.GraphKeys.TRAINABLE_VARIABLES, scope="gen/")  # why: TW116
train_generator = v1.train.AdamOptimizer().minimize(generator_loss, var_list=generator_variables)
