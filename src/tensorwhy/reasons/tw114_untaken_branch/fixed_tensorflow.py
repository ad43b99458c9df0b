"""Adds a penalty on the gate that grows from zero as training warms up."""

import tensorflow as tf

kernel = tf.Variable([[0.5], [-0.2]], name="kernel")
gate = tf.Variable(0.3, name="gate")
batch, wanted = tf.random.normal((8, 2)), tf.random.normal((8, 1))


def loss_of(step):
    loss = tf.reduce_mean(tf.square(batch @ kernel - wanted))
    return loss + min(step / 100.0, 1.0) * tf.square(gate)


with tf.GradientTape() as tape:
    loss = loss_of(step=1)

grads = tape.gradient(loss, [kernel, gate])
print([grad.shape for grad in grads])
assert all(float(tf.norm(grad)) > 0.0 for grad in grads)
