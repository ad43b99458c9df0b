"""The pairs for the optimizer are the wrong way round, and it fails on what a tensor does not have."""

import numpy as np
import tensorflow as tf


def build(units):
    return tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(units, activation="relu"), tf.keras.layers.Dense(1)])


class Loop:
    def __init__(self, model, optimizer):
        self.model, self.optimizer = model, optimizer
        self.loss = tf.keras.losses.MeanSquaredError()

    def gradients(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        return loss, tape.gradient(loss, self.model.trainable_weights)

    def step(self, x, y):
        loss, gradients = self.gradients(x, y)
        self.optimizer.apply_gradients(zip(self.model.trainable_weights, gradients))  # why: TW121
        return float(loss)

    def run(self, x, y, epochs):
        for epoch in range(epochs):
            print(epoch, self.step(x, y))


rng = np.random.default_rng(0)
x = tf.constant(rng.normal(size=(16, 4)).astype("float32"))
y = tf.constant(rng.normal(size=(16, 1)).astype("float32"))
Loop(build(8), tf.keras.optimizers.SGD(0.01)).run(x, y, 2)
