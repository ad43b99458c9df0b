"""Gaussian-process style: a traced closure, all parameters in one vector, the mean function's constant is not in it."""
import numpy as np
import tensorflow as tf

x = np.linspace(0, 1, 8)[:, None]
y = np.sin(4 * x)
lengthscale, variance = tf.Variable(np.log(0.5)), tf.Variable(np.log(1.0))
constant = tf.Variable(np.array([0.2]), name="constant")
parameters = [lengthscale, variance, constant]


@tf.function
def negative_log_likelihood():
    distance = (x - x.T) ** 2
    kernel = tf.exp(variance) * tf.exp(-0.5 * distance / tf.exp(lengthscale) ** 2) + 0.1 * np.eye(8)
    chol = tf.linalg.cholesky(kernel)
    alpha = tf.linalg.triangular_solve(chol, y)
    return 0.5 * tf.reduce_sum(alpha**2) + tf.reduce_sum(tf.math.log(tf.linalg.diag_part(chol)))


def to_vector(values):
    return tf.concat([tf.reshape(v, [-1]) for v in values], 0)  # why: TW115


def set_from(vector):
    start = 0
    for p in parameters:
        size = int(np.prod(p.shape))
        p.assign(tf.reshape(vector[start : start + size], p.shape))
        start += size


@tf.function
def evaluate(vector):
    set_from(vector)
    with tf.GradientTape() as tape:
        loss = negative_log_likelihood()
    grads = tape.gradient(loss, parameters)
    return loss, to_vector([tf.zeros_like(p) if g is None else g for g, p in zip(grads, parameters)])


def func(v):
    loss, grad = evaluate(tf.constant(v))
    return loss.numpy(), grad.numpy()


v = to_vector(parameters).numpy()
for _ in range(4):
    value, slope = func(v)
    v = v - 0.05 * slope
print(value)
