"""An optimizer of one's own computes each update, and gives it to the name of the loop."""

import numpy as np
import tensorflow as tf


class Momentum:
    def __init__(self, rate, keep):
        self.rate, self.keep = rate, keep
        self.speeds = None

    def start(self, weights):
        self.speeds = [tf.Variable(tf.zeros_like(w), trainable=False) for w in weights]

    def apply(self, gradients, weights):
        for speed, g, w in zip(self.speeds, gradients, weights):
            speed.assign(self.keep * speed + g)
            w = w - self.rate * speed  # why: TW112


class Regression(tf.Module):
    def __init__(self, width):
        super().__init__()
        self.w = tf.Variable(tf.random.normal([width, 1], seed=1), name="w")
        self.b = tf.Variable(tf.zeros([1]), name="b")

    def __call__(self, x):
        return tf.matmul(x, self.w) + self.b


class Trainer:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        optimizer.start(model.trainable_variables)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x) - y))
        self.optimizer.apply(tape.gradient(loss, self.model.trainable_variables), self.model.trainable_variables)
        return loss


rng = np.random.default_rng(0)
x = rng.normal(size=(32, 3)).astype("float32")
y = x.sum(1, keepdims=True)
trainer = Trainer(Regression(3), Momentum(0.05, 0.9))
for _ in range(5):
    print(float(trainer.step(tf.constant(x), tf.constant(y))))
