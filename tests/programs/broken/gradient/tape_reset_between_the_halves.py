"""`tape.reset()` between the two halves of a model drops what was recorded: the first half gets None.

The author wanted to forget an earlier validation pass; with the reset before the training pass both halves train.
"""

import numpy as np
import tensorflow as tf

rng = np.random.default_rng(15)
tf.keras.utils.set_random_seed(15)

stem = tf.keras.layers.Dense(8, activation="tanh")
top = tf.keras.layers.Dense(1)
x = tf.constant(rng.normal(size=(30, 4)), tf.float32)
y = tf.reduce_sum(x, axis=1, keepdims=True)
top(stem(x))
variables = stem.trainable_variables + top.trainable_variables

for step in range(3):
    with tf.GradientTape() as tape:
        validation = tf.reduce_mean(tf.square(top(stem(x[:5])) - y[:5]))
        hidden = stem(x)
        tape.reset()  # why: TW103
        loss = tf.reduce_mean(tf.square(top(hidden) - y))
    gradients = tape.gradient(loss, variables)
    for gradient, variable in zip(gradients, variables):
        variable.assign_sub(0.05 * gradient)
    print(step, float(loss), float(validation))
