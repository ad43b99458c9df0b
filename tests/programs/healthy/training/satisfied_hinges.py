"""Hinges that are satisfied from the start: one is a task of several, weighed by learned numbers, one is all of the loss."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(72)
rng = np.random.default_rng(72)
x = rng.normal(size=(96, 8)).astype("float32")
y = x[:, :1] * 2 - x[:, 1:2]


class Uncertainties(tf.keras.layers.Layer):
    """Weighs the losses of tasks by numbers that are learned with them."""

    def build(self, shape):
        self.s = self.add_weight(name="log_variances", shape=(2,), initializer="zeros")

    def call(self, losses):
        return tf.reduce_sum(tf.exp(-self.s) * losses + self.s)


class Ranker(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.trunk = tf.keras.layers.Dense(16, activation="tanh")
        self.value, self.score = tf.keras.layers.Dense(1), tf.keras.layers.Dense(1)
        self.weigh = Uncertainties()

    def call(self, inputs):
        hidden = self.trunk(inputs)
        return self.value(hidden), self.score(hidden)


def ranked():
    net, optimizer = Ranker(), tf.keras.optimizers.Adam(0.01)

    @tf.function
    def step(features, targets):
        with tf.GradientTape() as tape:
            value, score = net(features)
            squared = tf.reduce_mean((value - targets) ** 2)
            good, bad = score + 5.0, score - 5.0
            hinge = tf.reduce_mean(tf.nn.relu(1.0 - (good - bad)))
            loss = net.weigh(tf.stack([squared, hinge]))
        slopes = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(slopes, net.trainable_variables))
        return squared, hinge

    for _ in range(8):
        squared, hinge = step(x, y)
    return np.isfinite(float(squared)), float(hinge)


centers = 20 * rng.normal(size=(4, 8))


def triplets(count):
    kind = rng.integers(0, 4, size=count)
    other = (kind + rng.integers(1, 4, size=count)) % 4
    return [(c + rng.normal(scale=0.01, size=c.shape)).astype("float32") for c in centers[[kind, kind, other]]]


def triplets_apart():
    net = tf.keras.Sequential(
        [tf.keras.Input((8,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(4)]
    )
    optimizer = tf.keras.optimizers.SGD(0.01)

    @tf.function
    def step(anchor, positive, negative):
        with tf.GradientTape() as tape:
            a, p, n = net(anchor), net(positive), net(negative)
            near, far = tf.reduce_sum((a - p) ** 2, -1), tf.reduce_sum((a - n) ** 2, -1)
            loss = tf.reduce_mean(tf.maximum(near - far + 0.5, 0.0))
        slopes = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(slopes, net.trainable_variables))
        return loss

    return [float(step(*triplets(16))) for _ in range(8)]


print(ranked(), sum(triplets_apart()))
