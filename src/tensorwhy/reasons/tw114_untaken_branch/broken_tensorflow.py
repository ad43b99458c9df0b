"""Adds a penalty on the gate once training has warmed up, and asks for its gradient from the first step on."""

import tensorflow as tf

kernel = tf.Variable([[0.5], [-0.2]], name="kernel")
gate = tf.Variable(0.3, name="gate")
batch, wanted = tf.random.normal((8, 2)), tf.random.normal((8, 1))


def loss_of(step):
    loss = tf.reduce_mean(tf.square(batch @ kernel - wanted))
    if step > 100:  # why: TW114
        loss += tf.square(gate)
    return loss


with tf.GradientTape() as tape:
    loss = loss_of(step=1)

print([None if grad is None else grad.shape for grad in tape.gradient(loss, [kernel, gate])])
