"""Layers that are frozen while the head is trained, and set free when that is over: to be saved, or trained anew."""

import tensorflow as tf


class Tower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.base = tf.keras.Sequential([tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(8)])
        self.head = tf.keras.layers.Dense(1)

    def call(self, x):
        return self.head(self.base(x))


def phase(model, traced):
    optimizer = tf.keras.optimizers.SGD(0.01)

    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x) - y))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    return tf.function(step) if traced else step


x = tf.random.normal((32, 5))
y = tf.reduce_sum(x, axis=1, keepdims=True)
for traced in (True, False):
    once, twice = Tower(), Tower()
    for model in (once, twice):
        model(x)
        model.base.trainable = False
        step = phase(model, traced)
        for _ in range(8):
            step(x, y)
        model.base.trainable = True
    step = phase(twice, traced)
    before = [tf.identity(each) for each in twice.base.weights]
    for _ in range(8):
        step(x, y)
    assert not any(bool(tf.reduce_all(a == b)) for a, b in zip(before, twice.base.weights))
