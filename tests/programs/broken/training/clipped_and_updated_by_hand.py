"""Scores beyond the limits of a clip have a gradient of zero, which is subtracted from the weights by hand."""

import tensorflow as tf

weights = tf.Variable([[3.0], [4.0]])
points = tf.constant([[20.0, 30.0], [25.0, 10.0], [40.0, 15.0]])


def score(values):
    return tf.clip_by_value(values @ weights, -1.0, 1.0)  # why: TW203


for _ in range(12):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(score(points) - 0.5))
    [slope] = tape.gradient(loss, [weights])
    weights.assign_sub(0.1 * slope)
print(float(loss))
