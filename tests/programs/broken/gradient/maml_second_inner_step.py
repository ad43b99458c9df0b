"""MAML with two inner steps: the second one asks for the gradients of fast weights, which no tape watches."""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(7)
rng = np.random.default_rng(7)
weights = [
    tf.Variable(tf.random.normal((1, 8), stddev=0.5), name="w1"),
    tf.Variable(tf.zeros((8,)), name="b1"),
    tf.Variable(tf.random.normal((8, 1), stddev=0.5), name="w2"),
]


def predict(parameters, x):
    w1, b1, w2 = parameters
    return tf.tanh(x @ w1 + b1) @ w2


def mse(parameters, task):
    x, y = task
    return tf.reduce_mean(tf.square(predict(parameters, x) - y))


def task():
    x = rng.uniform(-3, 3, size=(10, 1)).astype("float32")
    return tf.constant(x), tf.constant(np.sin(x + rng.uniform(0, 3)).astype("float32"))


def adapted(parameters, support, steps, rate=0.05):
    for _ in range(steps):
        with tf.GradientTape() as inner:
            loss = mse(parameters, support)
        slopes = inner.gradient(loss, parameters)
        parameters = [p - rate * s for p, s in zip(parameters, slopes)]  # why: TW101
    return parameters


optimizer = tf.keras.optimizers.Adam(1e-3)
for episode in range(3):
    with tf.GradientTape() as outer:
        loss = mse(adapted(weights, task(), steps=2), task())
    optimizer.apply_gradients(zip(outer.gradient(loss, weights), weights))
