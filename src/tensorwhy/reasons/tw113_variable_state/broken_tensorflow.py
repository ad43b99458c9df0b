"""Keeps the hidden state of a recurrent step in a variable, and reads it back in the next step."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 3)), name="kernel")
readout = tf.Variable(tf.random.normal((3, 1)), name="readout")
state = tf.Variable(tf.zeros((1, 3)), trainable=False, name="state")
steps = tf.random.normal((4, 1, 3))

with tf.GradientTape() as tape:
    for step in steps:
        state.assign(tf.tanh(step @ kernel))  # why: TW113
    loss = tf.reduce_sum(tf.square(state @ readout))

print([None if grad is None else float(tf.norm(grad)) for grad in tape.gradient(loss, [kernel, readout])])
