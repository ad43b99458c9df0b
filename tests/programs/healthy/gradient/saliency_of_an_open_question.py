"""Traced maps of what decides: of logits, of a model that is not sure, and for a batch in which one sample is."""
import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(2)
x = np.random.default_rng(0).normal(size=(12, 6)).astype("float32")
model = tf.keras.Sequential([tf.keras.layers.Dense(12, activation="relu"), tf.keras.layers.Dense(3)])


@tf.function
def of_logits(x):
    with tf.GradientTape() as tape:
        tape.watch(x)
        best = tf.reduce_max(model(400.0 * x), axis=-1)
    return tape.gradient(best, x)


@tf.function
def of_probabilities(x, scale):
    with tf.GradientTape() as tape:
        tape.watch(x)
        best = tf.reduce_max(tf.nn.softmax(model(x) * scale), axis=-1)
    return tape.gradient(best, x)


for found in (of_logits(x), of_probabilities(x, 1.0), of_probabilities(x * np.eye(12, 6, dtype="float32"), 4.0)):
    print(bool(tf.reduce_any(tf.abs(found) > 1e-4)))
