"""A small training, always the same: what the programs beside it are in the midst of."""

import tensorflow as tf


def train(steps=3, during=lambda step: None):
    """Weights after some steps; `during` is called while the tape is open."""
    weights = tf.Variable([1.0, 2.0])
    features = tf.constant([0.5, -0.5])
    for step in range(steps):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((weights * features - 1.0) ** 2)
            during(step)
        weights.assign_sub(0.1 * tape.gradient(loss, weights))
    return [round(value, 5) for value in weights.numpy().tolist()]
