"""`tf.py_function` can be differentiated, but here its Python function leaves TensorFlow by `.numpy()`.

The update of the temperature is a zero that comes back from the callback; with `tf.exp` in it the update is not zero.
"""

import numpy as np
import tensorflow as tf

temperature = tf.Variable(1.5, name="temperature")
scores = tf.constant([0.2, 1.0, -0.5, 2.0])
wanted = tf.constant([0.05, 0.15, 0.05, 0.75])


def boltzmann(values, t):
    weights = np.exp(values.numpy() / t.numpy())
    return tf.constant(weights / weights.sum(), tf.float32)


def boltzmann_tf(values, t):
    weights = tf.exp(values / t)
    return weights / tf.reduce_sum(weights)


for step in range(5):
    with tf.GradientTape() as tape:
        probabilities = tf.py_function(boltzmann, [scores, temperature], tf.float32)  # why: TW111
        loss = tf.reduce_sum(tf.square(probabilities - wanted))
    gradient = tape.gradient(loss, temperature)
    temperature.assign_sub(5.0 * gradient)
    print(step, round(float(loss), 5), round(float(temperature), 4))
