"""The loop asks for `model.variables`, which holds the moving statistics of BatchNormalization.

Their gradients are None. The manual update multiplies None and raises; with `model.trainable_variables` every
gradient exists.
"""

import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(60)
rng = np.random.default_rng(60)
x = rng.normal(size=(40, 5)).astype("float32")
y = x[:, :1] - x[:, 1:2]

model = tf.keras.Sequential(
    [
        tf.keras.layers.Dense(8),
        tf.keras.layers.BatchNormalization(),
        tf.keras.layers.ReLU(),
        tf.keras.layers.Dense(1),
    ]
)
velocity = None


def momentum_step(variables, gradients, velocity, rate=0.05, momentum=0.9):
    if velocity is None:
        velocity = [tf.zeros_like(v) for v in variables]
    velocity = [momentum * v - rate * g for v, g in zip(velocity, gradients)]
    for variable, change in zip(variables, velocity):
        variable.assign_add(change)
    return velocity


for step in range(3):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
    parameters = model.variables  # why: TW116
    gradients = tape.gradient(loss, parameters)
    velocity = momentum_step(parameters, gradients, velocity)
    print(step, round(float(loss), 4))
