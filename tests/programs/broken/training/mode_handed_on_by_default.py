"""Layers hand the mode on that they are given, and the training step gives none: the default is inference."""

import numpy as np
import tensorflow as tf


class Block(tf.keras.layers.Layer):
    def __init__(self):
        super().__init__()
        self.dense, self.norm = tf.keras.layers.Dense(4), tf.keras.layers.BatchNormalization()

    def call(self, x, training=False):
        return tf.nn.relu(self.norm(self.dense(x), training=training))  # why: TW613


class Net(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.block, self.head = Block(), tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        return self.head(self.block(x, training=training))


x = np.random.default_rng(0).normal(5.0, 3.0, (64, 3)).astype("float32")
y = x[:, :1] - x[:, 1:2]
model, optimizer = Net(), tf.keras.optimizers.SGD(0.01)


@tf.function
def step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((model(x) - y) ** 2)
    optimizer.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
    return loss


for _ in range(12):
    step(x, y)
print(float(tf.reduce_mean((model(x, training=False) - y) ** 2)) >= 0.0)
