"""Weights are scaled by hand after each step, by a factor that should be below one: they grow until they are NaN."""

import tensorflow as tf

weight = tf.Variable(tf.ones([3, 1]), name="weight")
optimizer = tf.keras.optimizers.SGD(0.01)
data = tf.random.stateless_normal([16, 3], seed=[1, 2])

for _ in range(60):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(data @ weight - 1.0))
    optimizer.apply_gradients([(tape.gradient(loss, weight), weight)])
    weight.assign(weight * 10.0)  # why: TW611
