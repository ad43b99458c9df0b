"""A traced trainer takes each rate from a schedule that counts in Python."""
import numpy as np
import tensorflow as tf

class Schedule:
    def __init__(self, values):
        self.values = values
        self.step = 0

    def next(self):
        value = self.values[min(self.step, len(self.values) - 1)]
        self.step += 1
        return value

class Trainer(tf.Module):
    def __init__(self):
        self.w = tf.Variable(tf.zeros((3, 1)))
        self.schedule = Schedule([0.1, 0.05, 0.01])

    @tf.function
    def train(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(x @ self.w - y))
        g = tape.gradient(loss, self.w)
        self.w.assign_sub(self.schedule.next() * g)  # why: TW122
        return loss

x = tf.constant(np.random.default_rng(0).normal(size=(16, 3)).astype("float32"))
t = Trainer()
for _ in range(6):
    t.train(x, x[:, :1])
print(t.schedule.step)
