"""Colour matching by histograms: `tf.histogram_fixed_width` has no gradient, so the image variable gets None.

`optimizer.apply_gradients` raises; a soft histogram (Gaussian bins) gives the image a gradient.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(29)
reference = tf.constant(rng.beta(2.0, 5.0, size=(12, 12)), tf.float32)
image = tf.Variable(rng.uniform(size=(12, 12)), dtype=tf.float32, name="image")
optimizer = tf.keras.optimizers.Adam(0.02)
bins = 8


def histogram(values):
    counts = tf.histogram_fixed_width(values, [0.0, 1.0], nbins=bins)  # why: TW106
    return tf.cast(counts, tf.float32) / tf.cast(tf.size(values), tf.float32)


def soft_histogram(values):
    centres = (tf.range(bins, dtype=tf.float32) + 0.5) / bins
    closeness = tf.exp(-0.5 * ((tf.reshape(values, [-1, 1]) - centres) * 2 * bins) ** 2)
    return tf.reduce_mean(closeness, axis=0)


target = histogram(reference)
for step in range(4):
    with tf.GradientTape() as tape:
        difference = histogram(image) - target
        loss = tf.reduce_sum(difference**2)
    gradient = tape.gradient(loss, image)
    optimizer.apply_gradients([(gradient, image)])
    print(step, float(loss), float(tf.reduce_sum(soft_histogram(image))))
