"""recompute_grad, map_fn, scan, while_loop, FFT, top_k and segment operations are all differentiable."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(157)
x = tf.Variable(rng.normal(size=(4, 8)), dtype=tf.float32)


@tf.recompute_grad
def heavy(values):
    return tf.tanh(values @ tf.transpose(values))


@tf.function
def loops(values):
    mapped = tf.map_fn(lambda row: tf.reduce_sum(row**2), values)
    scanned = tf.scan(lambda a, row: 0.5 * a + row, values, initializer=tf.zeros([8]))
    _, total = tf.while_loop(lambda i, t: i < 3, lambda i, t: (i + 1, t + values[i]), (0, tf.zeros([8])))
    return tf.reduce_sum(mapped) + tf.reduce_sum(scanned[-1] * total)


with tf.GradientTape() as tape:
    spectrum = tf.signal.rfft(x)
    top = tf.math.top_k(x, k=3).values
    segments = tf.math.segment_mean(tf.transpose(x), [0, 0, 1, 1, 1, 2, 2, 3])
    loss = (
        tf.reduce_sum(heavy(x))
        + 0.01 * loops(x)
        + tf.reduce_sum(tf.abs(spectrum))
        + tf.reduce_sum(top)
        + tf.reduce_sum(segments**2)
    )
gradient = tape.gradient(loss, x)
print(round(float(loss), 3), gradient.shape, bool(tf.reduce_all(tf.math.is_finite(gradient))))
