"""A learned optimizer: the gradient of the inner loss is an input of a network, and never applied as it is."""

import tensorflow as tf
from tensorflow import keras
net = keras.Sequential([keras.Input((1,)), keras.layers.Dense(8, activation="tanh"), keras.layers.Dense(1)])
theta = tf.Variable([[1.0], [2.0], [3.0]], name="theta")
meta = keras.optimizers.Adam(1e-2)
for i in range(5):
    with tf.GradientTape() as outer:
        with tf.GradientTape() as inner:
            loss = tf.reduce_sum(tf.square(theta - 0.5))
        g = inner.gradient(loss, theta)
        new = theta + net(g)
        meta_loss = tf.reduce_sum(tf.square(new - 0.5))
    mg = outer.gradient(meta_loss, net.trainable_variables)
    meta.apply_gradients(zip(mg, net.trainable_variables))
