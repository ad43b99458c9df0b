"""Fits the share of a field that is sown, by a distribution whose slope is zero where the share begins."""

import tensorflow as tf

share = tf.Variable(tf.ones(4), name="share")
measured = tf.constant([0.2, 0.4, 0.5, 0.7])
first, second = tf.fill([4], 2.0), tf.fill([4], 3.0)
optimizer = tf.keras.optimizers.SGD(0.1)


def yield_of(sown):
    return tf.math.betainc(first, second, sown)  # why: TW209


for step in range(5):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(yield_of(share) - measured))
    gradient = tape.gradient(loss, share)
    optimizer.apply_gradients([(gradient, share)])
    print(step, float(loss))
