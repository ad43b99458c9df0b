"""The gradients of a slice, of gathered elements and of a reshaped variable: all three are there."""

import tensorflow as tf

x = tf.Variable([1.0, 2.0, 3.0, 4.0])
table = tf.Variable([[1.0, 2.0], [3.0, 4.0]])

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(x[1:3])
print("slice", tape.gradient(loss, x).numpy())

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.gather(x, tf.constant([1, 2]), validate_indices=True))
print("gather", tf.convert_to_tensor(tape.gradient(loss, x)).numpy())

with tf.GradientTape() as tape:
    loss = tf.reduce_sum(tf.reshape(table, (4,)))
print("reshape", tape.gradient(loss, table).numpy())
