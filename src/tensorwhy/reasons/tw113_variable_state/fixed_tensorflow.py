"""Carries the hidden state of a recurrent step as a tensor; the variable keeps a copy for the next batch."""

import tensorflow as tf

kernel = tf.Variable(tf.random.normal((3, 3)), name="kernel")
readout = tf.Variable(tf.random.normal((3, 1)), name="readout")
state = tf.Variable(tf.zeros((1, 3)), trainable=False, name="state")
steps = tf.random.normal((4, 1, 3))

with tf.GradientTape() as tape:
    hidden = tf.convert_to_tensor(state)
    for step in steps:
        hidden = tf.tanh(step @ kernel + hidden)
    state.assign(hidden)
    loss = tf.reduce_sum(tf.square(hidden @ readout))

grads = tape.gradient(loss, [kernel, readout])
print([float(tf.norm(grad)) for grad in grads])
assert all(float(tf.norm(grad)) > 0.0 for grad in grads)
