"""Python conditions in a traced step that are meant to hold once, or that only look."""

import numpy as np
import tensorflow as tf


class Trainer:
    def __init__(self, verbose=True):
        self.net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(1)])
        self.scale = tf.Variable(1.0, trainable=False)
        self.optimizer = tf.keras.optimizers.SGD(0.01)
        self.prepared, self.verbose, self.calls = False, verbose, tf.Variable(0, trainable=False)

    def prepare(self):
        """Sets what it was asked for, so that it runs once."""
        self.prepared = True
        self.scale.assign(0.5)

    def report(self, loss):
        tf.print("loss", loss, output_stream="file:///dev/null")

    def synchronise(self):
        self.scale.assign(self.scale * 0.9)

    @tf.function
    def step(self, x, y):
        if not self.prepared:
            self.prepare()
        with tf.GradientTape() as tape:
            loss = self.scale * tf.reduce_mean(tf.square(self.net(x) - y))
        variables = self.net.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        self.calls.assign_add(1)
        if self.verbose:
            self.report(loss)
        if self.calls % 2 == 0:
            self.synchronise()
        return loss


rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(16, 4)).astype("float32"))
y = tf.reduce_sum(x, axis=1, keepdims=True)
trainer = Trainer()
for step in range(6):
    trainer.step(x, y)
    trainer.verbose = step < 3
assert float(trainer.scale) < 0.5
