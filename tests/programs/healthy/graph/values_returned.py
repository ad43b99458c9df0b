"""Losses that are returned by a step and kept outside of it; state in variables."""

import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self):
        super().__init__()
        self.weight = tf.Variable(1.0)
        self.steps = tf.Variable(0, trainable=False)
        self.average = None
        self.history = []

    @tf.function
    def step(self, x):
        if self.average is None:
            self.average = tf.Variable(0.0, trainable=False)
        with tf.GradientTape() as tape:
            loss = tf.square(self.weight * x - 3.0)
        self.weight.assign_sub(0.01 * tape.gradient(loss, self.weight))
        self.steps.assign_add(1)
        self.average.assign(0.9 * self.average + 0.1 * loss)
        return loss

    def fit(self, values):
        for value in values:
            self.history.append(self.step(tf.constant(value)))
        return tf.add_n(self.history) / len(self.history)


trainer = Trainer()
print(float(trainer.fit([1.0, 2.0, 3.0])), int(trainer.steps))
