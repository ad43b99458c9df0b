"""Gradient descent whose step size is halved in every epoch: it is an argument of the step."""

import tensorflow as tf


class Descent:
    def __init__(self):
        self.x = tf.Variable(4.0)

    @tf.function
    def step(self, rate):
        with tf.GradientTape() as tape:
            loss = tf.square(self.x)
        gradient = tape.gradient(loss, self.x)
        self.x.assign_sub(rate * gradient)
        return loss


descent = Descent()
rate = tf.constant(0.4)
for _ in range(4):
    print(float(descent.step(rate)))
    rate /= 2.0
assert abs(descent.x.numpy() - 4.0 * 0.2 * 0.6 * 0.8 * 0.9) < 1e-5
