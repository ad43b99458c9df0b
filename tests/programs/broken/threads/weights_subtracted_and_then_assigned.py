# A warm start by plain steps, then updates in place.
import numpy as np
import tensorflow as tf


class Linear:
    def __init__(self, size):
        self.w = tf.Variable(tf.zeros([size, 1]))

    def loss(self, x, y):
        return tf.reduce_mean(tf.square(tf.matmul(x, self.w) - y))


def warm_up(model, x, y, rate):
    with tf.GradientTape() as tape:
        loss = model.loss(x, y)
    model.w = model.w - rate * tape.gradient(loss, model.w)  # why: TW112
    return loss


def train(model, x, y, steps, rate=0.1):
    warm_up(model, x, y, rate)
    for _ in range(steps):
        with tf.GradientTape() as tape:
            tape.watch(model.w)
            loss = model.loss(x, y)
        model.w.assign_sub(rate * tape.gradient(loss, model.w))
    return loss


x = np.random.rand(16, 3).astype("float32")
print(train(Linear(3), x, x.sum(1, keepdims=True), 4))
