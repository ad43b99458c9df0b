"""MAML with adapted weights as tensors, second-order, and a learned inner rate."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(143)
weights = [
    tf.Variable(rng.normal(size=(1, 12)) * 0.5, dtype=tf.float32),
    tf.Variable(tf.zeros([12])),
    tf.Variable(rng.normal(size=(12, 1)) * 0.3, dtype=tf.float32),
    tf.Variable(tf.zeros([1])),
]
inner_rate = tf.Variable(0.05)


def forward(x, w):
    return tf.tanh(x @ w[0] + w[1]) @ w[2] + w[3]


def mse(x, y, w):
    return tf.reduce_mean((forward(x, w) - y) ** 2)


def sine_task():
    phase, size = rng.uniform(0, 3), rng.uniform(0.5, 2.0)
    x = rng.uniform(-3, 3, size=(20, 1)).astype("float32")
    y = (size * np.sin(x + phase)).astype("float32")
    return x[:10], y[:10], x[10:], y[10:]


optimizer = tf.keras.optimizers.Adam(0.01)
for step in range(4):
    with tf.GradientTape() as outer:
        total = 0.0
        for _ in range(2):
            xs, ys, xq, yq = sine_task()
            adapted = [tf.convert_to_tensor(w) for w in weights]
            for _ in range(2):
                with tf.GradientTape() as inner:
                    inner.watch(adapted)
                    support = mse(xs, ys, adapted)
                slopes = inner.gradient(support, adapted)
                adapted = [a - inner_rate * g for a, g in zip(adapted, slopes)]
            total += mse(xq, yq, adapted)
    variables = [*weights, inner_rate]
    gradients = outer.gradient(total, variables)
    optimizer.apply_gradients(zip(gradients, variables))
    print(step, round(float(total), 4), round(float(inner_rate), 4))
