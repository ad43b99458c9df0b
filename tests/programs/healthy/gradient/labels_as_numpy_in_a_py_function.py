"""Losses in `tf.py_function` that make NumPy of labels, weights and fixed targets only: the predictions are differentiated.

TensorFlow asks for a gradient of everything that the function was given, and gets None for what became NumPy. Nobody
asked for those.
"""

import numpy as np
import tensorflow as tf

weight = tf.Variable([[0.5], [0.2]])
fixed = tf.Variable([[1.0], [-1.0]])
x = tf.random.normal([8, 2], seed=1)
labels = tf.cast(tf.random.uniform([8, 1], seed=2) > 0.5, tf.float32)


def weighted(predicted, wanted):
    weights = np.where(wanted.numpy() > 0, 2.0, 1.0).astype("float32")
    return tf.reduce_mean(weights * tf.square(predicted - tf.constant(wanted.numpy())))


def step():
    with tf.GradientTape() as tape:
        loss = tf.py_function(weighted, [x @ weight, labels], tf.float32)
    weight.assign_sub(0.1 * tape.gradient(loss, weight))


traced = tf.function(step)
for _ in range(8):
    before = weight.numpy()
    step()
    assert (weight.numpy() != before).all()
    traced()

for _ in range(8):
    with tf.GradientTape() as tape:
        near = tf.py_function(weighted, [x @ weight, tf.stop_gradient(x @ fixed)], tf.float32)
    weight.assign_sub(0.1 * tape.gradient(near, weight))
print(weight.numpy().ravel())
