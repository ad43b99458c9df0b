"""Learns the matrix of a linear system from its rollout, whose states are written to an array that nothing keeps."""

import tensorflow as tf


class Dynamics(tf.Module):
    def __init__(self, size: int, horizon: int) -> None:
        super().__init__()
        self.matrix = tf.Variable(tf.eye(size) * 0.9)
        self.horizon = horizon

    @tf.function
    def rollout(self, state):
        states = tf.TensorArray(tf.float32, size=self.horizon)
        for step in tf.range(self.horizon):
            state = tf.linalg.matvec(self.matrix, state)
            states.write(step, state)  # why: TW507
        return states.stack()


model = Dynamics(3, 8)
start = tf.ones((3,))
observed = tf.stack([start * 0.8 ** (step + 1) for step in range(8)])
for _ in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model.rollout(start) - observed))
    gradient = tape.gradient(loss, model.matrix)
    model.matrix.assign_sub(0.05 * gradient)
