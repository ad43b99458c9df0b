"""One half of a split is differentiated by the other half."""

import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0, 4.0])
with tf.GradientTape() as tape:
    mean, scale = tf.split(tf.tanh(x), 2)  # why: TW115
    tape.watch(mean)
    loss = tf.reduce_sum(scale**2)
print(tape.gradient(loss, mean))
