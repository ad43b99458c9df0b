"""Computes the features under the tape; only what is for the log is not recorded."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 2)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 2))

with tf.GradientTape() as tape:
    features = tf.tanh(batch @ kernel)
    with tape.stop_recording():
        spread = tf.math.reduce_std(features)
    loss = tf.reduce_mean(tf.square(features - wanted))

gradient = tape.gradient(loss, kernel)
print("spread", float(spread), "gradient", gradient.shape)
assert float(tf.norm(gradient)) > 0.0
