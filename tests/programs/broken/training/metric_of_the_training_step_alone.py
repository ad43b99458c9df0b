"""A model lists its own metric, and only its training step updates that: validation reports 0."""

import numpy as np
import tensorflow as tf


class Model(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.dense = tf.keras.layers.Dense(1)
        self.total = tf.keras.metrics.Mean(name="total")

    def call(self, x):
        return self.dense(x)

    @property  # why: TW614
    def metrics(self):
        return [self.total]

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self(x) - y))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return self.report(loss)

    def report(self, loss):
        self.total.update_state(loss)
        return {each.name: each.result() for each in self.metrics}


x = np.random.default_rng(0).random((32, 4)).astype("float32")
y = x.sum(1, keepdims=True)
model = Model()
model.compile("sgd", "mse")
print(model.fit(x, y, validation_data=(x, y), verbose=0).history)
