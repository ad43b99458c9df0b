"""A directional derivative by forward mode: the loss is computed after the accumulator was closed."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal([3, 2]), name="kernel")
batch = tf.random.normal([4, 3])
with tf.autodiff.ForwardAccumulator(kernel, tf.ones([3, 2])) as accumulator:
    outputs = tf.tanh(batch @ kernel)
loss = tf.reduce_sum(outputs**2)  # why: TW102
print("slope", float(accumulator.jvp(loss)))
