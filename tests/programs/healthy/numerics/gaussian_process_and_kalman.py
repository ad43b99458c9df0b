"""Numerics with linear algebra: marginal likelihood of a Gaussian process, a Kalman filter by tf.scan, an SVD."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(47)
x = tf.constant(np.sort(rng.uniform(-2, 2, size=12)))[:, None]
y = tf.sin(3 * x) + 0.1 * rng.normal(size=(12, 1))
log_length, log_scale, log_noise = (tf.Variable(v, dtype=tf.float64) for v in (0.0, 0.0, -1.0))


def likelihood():
    d2 = tf.reduce_sum((x[:, None] - x[None]) ** 2, axis=-1)
    k = tf.exp(2 * log_scale) * tf.exp(-0.5 * d2 / tf.exp(2 * log_length))
    k += tf.exp(2 * log_noise) * tf.eye(12, dtype=tf.float64)
    chol = tf.linalg.cholesky(k)
    alpha = tf.linalg.cholesky_solve(chol, y)
    return 0.5 * tf.reduce_sum(y * alpha) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))


opt = tf.keras.optimizers.Adam(0.05)
variables = [log_length, log_scale, log_noise]
values = []
for _ in range(5):
    with tf.GradientTape() as tape:
        nll = likelihood()
    opt.apply_gradients(zip(tape.gradient(nll, variables), variables))
    values.append(float(nll))
print(values[-1] < values[0])

q = tf.Variable(0.1)
observations = tf.constant(rng.normal(size=15).cumsum().astype("float32"))


def filter_step(carry, z):
    mean, var, _ = carry
    var = var + tf.exp(q)
    gain = var / (var + 1.0)
    error = z - mean
    return mean + gain * error, (1 - gain) * var, 0.5 * (error**2 / (var + 1.0) + tf.math.log(var + 1.0))


with tf.GradientTape() as tape:
    means, variances, terms = tf.scan(filter_step, observations, (tf.constant(0.0), tf.constant(1.0), tf.constant(0.0)))
    nll = tf.reduce_sum(terms)
print(tape.gradient(nll, q) is not None, means.shape)
a = tf.Variable(rng.normal(size=(4, 3)))
with tf.GradientTape() as tape:
    s = tf.linalg.svd(a, compute_uv=False)
    nuclear = tf.reduce_sum(s)
print(tape.gradient(nuclear, a).shape)
