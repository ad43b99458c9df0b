"""Gradient descent whose step size is halved in every epoch."""

import tensorflow as tf


class Descent:
    def __init__(self, rate):
        self.rate = rate
        self.x = tf.Variable(4.0)

    @tf.function
    def step(self):
        with tf.GradientTape() as tape:
            loss = tf.square(self.x)
        gradient = tape.gradient(loss, self.x)
        self.x.assign_sub(self.rate * gradient)  # why: TW122
        return loss


descent = Descent(0.4)
for _ in range(4):
    print(float(descent.step()))
    descent.rate /= 2.0
