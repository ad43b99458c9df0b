"""A hand-written momentum: the velocity is rebound in the traced step, so each call starts with that of the first."""

import tensorflow as tf


class Momentum:
    def __init__(self, rate, decay):
        self.rate, self.decay = rate, decay
        self.velocity = tf.zeros([3])

    def update(self, weights, gradient):
        self.velocity = self.decay * self.velocity + gradient  # why: TW122
        weights.assign_sub(self.rate * self.velocity)


weights = tf.Variable([1.0, -2.0, 3.0])
momentum = Momentum(0.1, 0.9)


@tf.function
def step():
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.square(weights))
    momentum.update(weights, tape.gradient(loss, weights))
    return loss


for _ in range(10):
    loss = step()
print(float(loss))
