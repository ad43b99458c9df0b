"""Some units are dead, some samples have weight zero, some predictions are clipped: no gradient is zero throughout."""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(169)
x = tf.constant(rng.normal(size=(40, 3)), tf.float32)
y = tf.constant(rng.normal(size=(40, 1)), tf.float32)
mask = tf.constant((rng.uniform(size=(40, 1)) > 0.5).astype("float32"))
w1 = tf.Variable(rng.normal(size=(3, 6)), dtype=tf.float32)
b1 = tf.Variable([0.0, 0.0, 0.0, -30.0, -30.0, 0.0])
w2 = tf.Variable(rng.normal(size=(6, 1)), dtype=tf.float32)
parameters = [w1, b1, w2]

for step in range(8):
    with tf.GradientTape() as tape:
        hidden = tf.nn.relu(x @ w1 + b1)
        prediction = tf.clip_by_value(hidden @ w2, -1.0, 1.0)
        loss = tf.reduce_sum(mask * (prediction - y) ** 2) / tf.reduce_sum(mask)
    gradients = tape.gradient(loss, parameters)
    for parameter, gradient in zip(parameters, gradients):
        parameter.assign_sub(0.05 * gradient)
    print(step, round(float(loss), 4), int(tf.math.count_nonzero(gradients[1])))
