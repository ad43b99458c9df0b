"""Operations of a small library, checked by TensorFlow against finite differences in each of their arguments."""

import numpy as np
import tensorflow as tf


@tf.custom_gradient
def log1pexp(x):
    e = tf.exp(x)
    return tf.math.log(1.0 + e), lambda upstream: upstream * (1.0 - 1.0 / (1.0 + e))


def hard_shrink(x, threshold):
    """The threshold only decides: its derivative is zero."""
    return tf.where(tf.abs(x) > threshold, x, tf.zeros_like(x))


def weighted(x, weights, level):
    kept = tf.cast(weights > level, x.dtype)
    return tf.reduce_sum(log1pexp(x) * weights * kept, axis=-1)


rng = np.random.default_rng(4)
x = tf.constant(rng.normal(size=(2, 3)), tf.float64)
weights = tf.constant([[0.5, 2.0, 3.0]], tf.float64)
level = tf.constant(1.0, tf.float64)
for function, arguments in [(log1pexp, [x]), (hard_shrink, [x, 0.1 * level]), (weighted, [x, weights, level])]:
    theoretical, numeric = tf.test.compute_gradient(function, arguments)
    worst = max(float(np.abs(one - other).max()) for one, other in zip(theoretical, numeric))
    print(getattr(function, "__name__", "log1pexp"), len(theoretical), worst < 1e-4)
