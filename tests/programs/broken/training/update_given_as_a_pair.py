# requires: keras2
import numpy as np
import tensorflow as tf


class RunningStatistics(tf.keras.layers.Layer):
    """Centres its input with a running mean, in the way of Keras 1."""

    def __init__(self, momentum=0.9, **kwargs):
        super().__init__(**kwargs)
        self.momentum = momentum

    def build(self, input_shape):
        shape = (input_shape[-1],)
        self.mean = self.add_weight(name="mean", shape=shape, initializer="zeros", trainable=False)
        self.seen = self.add_weight(name="seen", shape=(), initializer="zeros", trainable=False)

    def call(self, inputs, training=None):
        batch = tf.reduce_mean(inputs, axis=0)
        self.add_update(self.seen.assign_add(1.0))
        self.add_update([(self.mean, self.momentum * self.mean + (1 - self.momentum) * batch)])  # why: TW604
        return inputs - self.mean


def build():
    inputs = tf.keras.Input((4,))
    hidden = RunningStatistics()(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(hidden))


tf.keras.utils.set_random_seed(1)
model = build()
model.compile("sgd", "mse")
rows = np.random.default_rng(0).normal(2.0, 1.0, size=(64, 4)).astype("float32")
model.fit(rows, rows.sum(1, keepdims=True), batch_size=16, epochs=2, verbose=0)
