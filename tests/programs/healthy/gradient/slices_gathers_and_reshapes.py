"""Slices, gathers, reshapes, concatenations, sorting and boolean masks inside a tape are all differentiable."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(100)
x = tf.Variable(rng.normal(size=(4, 6)), dtype=tf.float32)

with tf.GradientTape() as tape:
    left, right = x[:, :3], x[:, 3:]
    picked = tf.gather(left, [2, 0], axis=0)
    flat = tf.reshape(tf.concat([picked, right[1:3]], axis=0), [-1])
    top = tf.sort(flat, direction="DESCENDING")[:5]
    positive = tf.boolean_mask(flat, flat > 0)
    strided = x[::2, 1::2]
    loss = tf.reduce_sum(top**2) + tf.reduce_sum(positive) + tf.reduce_sum(strided * 0.5)

gradient = tape.gradient(loss, x)
print("loss", round(float(loss), 4))
print("shape", tuple(gradient.shape), "zeros", int(tf.reduce_sum(tf.cast(gradient == 0, tf.int32))))
