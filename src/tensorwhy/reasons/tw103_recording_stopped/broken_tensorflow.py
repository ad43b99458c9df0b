"""Keeps the features for a log without recording them, and then goes on with the very same features."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 2)), name="kernel")
batch, wanted = tf.random.normal((8, 3)), tf.random.normal((8, 2))

with tf.GradientTape() as tape:
    with tape.stop_recording():
        features = tf.tanh(batch @ kernel)  # why: TW103
        spread = tf.math.reduce_std(features)
    loss = tf.reduce_mean(tf.square(features - wanted))

print("spread", float(spread), "gradient", tape.gradient(loss, kernel))
