"""A model that knows no weight, with a training step of its own, which trains what a plain object holds."""

import numpy as np
import tensorflow as tf


class Tower:
    def __init__(self):
        self.hidden = tf.keras.layers.Dense(8, activation="relu")
        self.head = tf.keras.layers.Dense(1)

    def __call__(self, x):
        return self.head(self.hidden(x))

    @property
    def weights(self):
        return self.hidden.trainable_variables + self.head.trainable_variables


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.tower = Tower()
        self.tower(tf.zeros((1, 4)))

    def call(self, x):
        return self.tower(x)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        for weight, gradient in zip(self.tower.weights, tape.gradient(loss, self.tower.weights)):
            value = getattr(weight, "value", weight)
            value = value if hasattr(value, "assign_sub") else weight
            value.assign_sub(0.1 * gradient)
        return {"loss": loss}


model = Net()
model.compile(optimizer="sgd", loss="mse")
x, y = np.random.rand(64, 4).astype("float32"), np.random.rand(64, 1).astype("float32")
history = model.fit(x, y, epochs=3, verbose=0)
assert history.history["loss"][-1] < history.history["loss"][0]
