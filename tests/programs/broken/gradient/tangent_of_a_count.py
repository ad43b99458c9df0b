"""A directional derivative by forward mode of a count: the comparison hands no tangent on."""
import tensorflow as tf

x = tf.constant([0.5, -1.0, 2.0])
direction = tf.constant([1.0, 0.0, 0.0])
with tf.autodiff.ForwardAccumulator(x, direction) as accumulator:
    weights = tf.cast(x > 0.0, tf.float32)  # why: TW106
    total = tf.reduce_sum(weights)
print("slope", accumulator.jvp(total).numpy())
