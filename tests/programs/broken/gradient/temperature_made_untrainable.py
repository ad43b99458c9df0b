"""Sensitivity to a learned output scale that was made with `trainable=False`: the tape does not follow it.

The gradient is None and the report raises; without the flag (or with `tape.watch(scale)`) it is a number.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(61)
rng = np.random.default_rng(61)


class Calibrated(tf.Module):
    def __init__(self, net):
        super().__init__()
        self.net = net
        self.temperature = tf.Variable(1.0, trainable=False, name="temperature")  # why: TW101

    def __call__(self, batch):
        return self.net(batch) / self.temperature


network = tf.keras.Sequential([tf.keras.layers.Dense(6, activation="relu"), tf.keras.layers.Dense(3)])
calibrated = Calibrated(network)
logits_for = tf.constant(rng.normal(size=(30, 4)), tf.float32)
labels = tf.constant(rng.integers(0, 3, size=30))


def negative_log_likelihood():
    losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=calibrated(logits_for))
    return tf.reduce_mean(losses)


for step in range(5):
    with tf.GradientTape() as tape:
        nll = negative_log_likelihood()
    slope = tape.gradient(nll, calibrated.temperature)
    calibrated.temperature.assign_sub(0.5 * slope)
    print(step, round(float(nll), 5), round(float(calibrated.temperature), 4))
